import { filter, type Observable, Subject } from 'rxjs';
import { fail } from '../error.ts';
import { when } from '../log/current.ts';
import type { Log } from '../log/log.ts';
import { openChildrenOf } from '../model/children.ts';
import { type CallPlace, isDelta, type SessionEvent } from '../model/event.ts';
import { findCall } from '../model/find-call.ts';
import { callsAwaitingApproval, isUnderWay, openCalls, statusOf } from '../model/status.ts';
import { allMessages, type SessionState } from '../model/state.ts';
import type { SessionStore } from '../model/store.ts';
import { toolParts, type ToolPart } from '../model/message.ts';
import { addSpending } from '../model/usage.ts';
import { type FindMember, usedBy } from '../session/account.ts';
import type { OwnedSession } from '../session/create-session.ts';
import type { Tree } from '../session/session-env.ts';
import type { ChildPlace, Family } from '../tools/family.ts';
import { engine, type Tool } from '../tools/tool.ts';

/** The trees of an agent's sessions: which session works on which call. */
export interface Families {
  /** Returns what a session knows of those above and below it. */
  treeOf(log: Pick<Log, 'getState' | 'peek' | 'view'>): Tree;
  /**
   * Opens the session that a call has started as the tool of that call does, with the sessions above it. Returns `undefined` where there is no
   * such call any more.
   *
   * @throws AgentError `TOOL_NOT_FOUND` where this agent lacks the tool
   */
  openByCall(path: readonly CallPlace[]): Promise<OwnedSession | undefined>;
  /** Keeps what a session has below it in memory, and lets sessions that wait for a reservation try again. */
  follow(session: OwnedSession, events$: Observable<SessionEvent>): void;
}

interface FamiliesOptions {
  readonly sessions: ReadonlyMap<string, OwnedSession>;
  readonly store: SessionStore | undefined;
  readonly find: FindMember;
  readonly toolOf: (sessionId: string, name: string) => Tool | undefined;
  readonly openSession: (sessionId: string) => Promise<unknown>;
  /** Opens a session with the tools and the client of its own agent. @param create `false`: rejects where the store does not have it */
  readonly open: (place: ChildPlace, create: boolean) => Promise<OwnedSession>;
  readonly unload: (sessionId: string) => void;
}

/** Events after which a reservation is free. */
const freeing: ReadonlySet<SessionEvent['type']> = new Set(['reply.ended', 'reply.refused', 'run.ended', 'call.ended']);

export function createFamilies(options: FamiliesOptions): Families {
  const { sessions, store, find, toolOf, openSession, open, unload } = options;
  const waiting = new Set<string>();
  const changes = new Subject<void>();
  const settling = new Map<string, Promise<void>>();

  /** Opens the session of a call, if its tool is here. */
  async function openChild(parent: OwnedSession, call: ToolPart, create: boolean): Promise<OwnedSession | undefined> {
    const { session: id = '', callId, name } = call;
    const known = sessions.get(id);
    if (known) return known;
    const agent = toolOf(parent.id, name)?.[engine].agent?.();
    if (agent === undefined) return undefined;
    const path = [...(parent.getState().path ?? []), { sessionId: parent.id, callId }];
    return open({ id, path, agent }, create);
  }

  /** Opens the sessions of the open calls, and theirs. A session that cannot be read is left out: its call says so when it runs. */
  async function openTree(parent: OwnedSession): Promise<void> {
    const ids = new Set(openChildrenOf(parent.getState()));
    if (ids.size === 0) return;
    const calls = parent.getMessages().flatMap(toolParts);
    const opened = calls
      .filter(({ session = '' }) => ids.has(session))
      .map(async (call) => {
        const child = await openChild(parent, call, false).catch(() => undefined);
        if (child === undefined) return;
        await openTree(child);
        // The page has sent another message meanwhile.
        if (!openChildrenOf(parent.getState()).includes(child.id)) leaveOut(child);
      });
    await Promise.all(opened);
  }

  /**
   * Ends what a call has left that is not continued: its tab may have gone before the end of the session was stored. A call that succeeds or
   * fails ends after its session is stored.
   */
  async function settleLeft(parent: OwnedSession): Promise<void> {
    const open = openChildrenOf(parent.getState());
    const calls = allMessages(parent.getState()).flatMap(toolParts);
    for (const call of calls) {
      const { session: id, status } = call;
      if (id === undefined || status === 'succeeded' || status === 'failed') continue;
      if (open.includes(id) || sessions.has(id)) continue;
      const row = await store?.read(id, { after: Number.MAX_SAFE_INTEGER }).catch(() => undefined);
      if (row === undefined || (!isUnderWay(row.summary.status) && row.summary.children === undefined)) continue;
      const child = await openChild(parent, call, false).catch(() => undefined);
      if (child === undefined) continue;
      await settle(child);
      leaveOut(child);
    }
  }

  /** Resolves when what the calls of a session have left has been ended. */
  function settle(session: OwnedSession): Promise<void> {
    const known = settling.get(session.id);
    if (known) return known;
    const settled = settleLeft(session).finally(() => settling.delete(session.id));
    settling.set(session.id, settled);
    return settled;
  }

  /** Ends the run of a session whose call is not continued any more. */
  function leaveOut(session: OwnedSession): void {
    session.cancel();
    leave(session.id);
  }

  function leave(sessionId: string): void {
    const session = sessions.get(sessionId);
    if (session === undefined || store === undefined) return;
    session.flushed().then(
      () => session.isIdle() && sessions.get(sessionId) === session && unload(sessionId),
      () => {},
    );
  }

  function below(sessionId: string): readonly OwnedSession[] {
    const own = sessions.get(sessionId);
    const children = own ? openChildrenOf(own.getState()) : [];
    return children.flatMap((id) => [sessions.get(id) ?? [], below(id)].flat());
  }

  function isWaiting(state: SessionState): boolean {
    const status = statusOf(state);
    if (status !== 'running' || state.run?.openReply !== undefined) return status === 'waiting';
    const open = openCalls(state);
    return (
      open.length > 0 &&
      open.every(({ status: its, session = '' }) => {
        if (its === 'awaiting-approval') return true;
        const child = its === 'started' ? sessions.get(session) : undefined;
        return child !== undefined && isWaiting(child.getState());
      })
    );
  }

  /** Opens the session of a call that another tab runs: at once, or when that tab has stored it. */
  function openWhenStored(parent: OwnedSession, callId: string, events$: Observable<SessionEvent>): void {
    const call = findCall(parent.getState(), callId)?.call;
    if (call?.session === undefined || sessions.has(call.session)) return;
    const tryOnce = (): Promise<boolean> =>
      openChild(parent, call, false).then(
        () => true,
        () => false,
      );
    void tryOnce().then((isOpen) => {
      if (isOpen || store === undefined) return;
      const subscription = store.changes$.subscribe((id) => {
        const isOver = findCall(parent.getState(), callId)?.call.status !== 'started';
        if (isOver) subscription.unsubscribe();
        else if (id === call.session) void tryOnce().then((isDone) => isDone && subscription.unsubscribe());
      });
      events$.subscribe({ complete: () => subscription.unsubscribe() });
    });
  }

  /** Resumes the topmost run above a session that was cut: a person has decided a call below. */
  function goOnAbove(path: readonly CallPlace[]): void {
    for (const { sessionId } of path) {
      const session = sessions.get(sessionId);
      const outcome = session?.getState().run?.outcome;
      if (session === undefined || (outcome !== 'interrupted' && outcome !== 'failed')) continue;
      try {
        void session.resume();
      } catch {
        // A person resumes it: this page lacks an option of the run, or the session cannot be changed now.
      }
      return;
    }
  }

  return {
    treeOf({ getState, peek, view }) {
      const { id } = peek();
      const family: Family = {
        path: getState().path ?? [],
        open: (place) => open(place, true),
        async openTree() {
          const rootId = getState().path?.[0]?.sessionId ?? id;
          const root = sessions.get(rootId);
          if (root) await openTree(root);
        },
        spendingOf(sessionId) {
          const member = find(sessionId);
          if (member === undefined) return { tokens: 0, steps: 0, money: 0 };
          const { tokens, steps, money, decidedAt } = usedBy(member.getState(), find);
          return { tokens, steps, money, ...(decidedAt > 0 && { decidedAt }) };
        },
        leave,
        async whenLeft(callId) {
          const statusOf = () => findCall(getState(), callId)?.call.status;
          await when(
            view(() => statusOf()),
            (status) => status !== 'started',
          );
          const status = statusOf();
          return status === 'started' || status === 'uncertain' ? 'open' : 'ended';
        },
      };
      return {
        family,
        find,
        wait: () => void waiting.add(id),
        decided: () => goOnAbove(family.path),
        cancelBelow() {
          for (const session of below(id)) session.cancel();
        },
        spentBelow() {
          const ids = openChildrenOf(getState());
          return ids.length > 0 ? ids.map(family.spendingOf).reduce(addSpending) : undefined;
        },
        // A session without sessions below changes with the views of its log, and not before: its run has set its timers then.
        changes$: changes.pipe(filter(() => getState().children !== undefined)),
        isWaiting: () => isWaiting(getState()),
        waitingBelow: () => below(id).flatMap((session) => callsAwaitingApproval(session.getState())),
        isNeeded: () => below(id).length > 0,
        holderOf: (callId) => below(id).find((session) => findCall(session.getState(), callId) !== undefined),
      };
    },
    async openByCall(path) {
      const place = path.at(-1);
      if (place === undefined) return undefined;
      await openSession(place.sessionId);
      const parent = sessions.get(place.sessionId);
      const calls = parent ? allMessages(parent.getState()).flatMap(toolParts) : [];
      const call = calls.find(({ callId, session }) => callId === place.callId && session !== undefined);
      if (parent === undefined || call === undefined) return undefined;
      const child = await openChild(parent, call, false);
      if (child === undefined) fail('TOOL_NOT_FOUND', `The agent has no tool "${call.name}" that is an agent.`);
      const root = sessions.get(path[0]?.sessionId ?? '');
      if (root) await openTree(root);
      return child;
    },
    follow(session, events$) {
      // A session that is opened may have waiting calls.
      changes.next();
      events$.subscribe((event) => {
        if (changes.observed && !isDelta(event)) changes.next();
        if (event.type === 'call.started' && event.session !== undefined && !session.isDriving())
          openWhenStored(session, event.callId, events$);
        if (event.type === 'run.started' && event.resumes === undefined)
          for (const id of session.getState().children ?? []) {
            const child = sessions.get(id);
            if (child) leaveOut(child);
          }
        if (waiting.size === 0 || !freeing.has(event.type)) return;
        const ids = [...waiting];
        waiting.clear();
        // Not within the event of another session.
        queueMicrotask(() => ids.forEach((id) => sessions.get(id)?.advance()));
      });
      if (openChildrenOf(session.getState()).length > 0) void openTree(session);
      if (session.getState().children) void settle(session);
    },
  };
}
