import { Observable, Subscription } from 'rxjs';
import { AgentError, toAgentError } from '../error.ts';
import { type ErrorListener, notifyError } from '../caught-error.ts';
import { extractTextContent, toMessage } from '../model/message.ts';
import { broughtBy } from '../model/origin.ts';
import type { LLMClient } from '../model/llm.ts';
import type { QueuedMessage } from '../model/state.ts';
import type { SessionStore, StoreMeta } from '../model/store.ts';
import { atMostEvery } from '../at-most-every.ts';
import type { Ports } from '../ports.ts';
import type { OwnedSession } from '../session/create-session.ts';
import { readChatInput, readId } from '../session/read-arguments.ts';
import type { Agent, AgentEvent } from './agent.ts';
import { createClientLock } from './client-lock.ts';
import { createScheduleList, type ScheduleList } from './schedule-list.ts';
import { longestUndo, mostLate, type Plan, readDue, readScheduleOptions, shortened } from './scheduled-prompt.ts';

/** The prompts of an agent that are sent later. */
export interface Schedules extends Pick<ScheduleList, 'noteRemoved'> {
  readonly verbs: Pick<Agent, 'schedule' | 'unschedule' | 'schedules$' | 'getSchedules'>;
  /** Notes that a session is in memory: it may have planned prompts. */
  noteLoaded(session: OwnedSession): void;
  close(): void;
}

interface SchedulesOptions {
  readonly store: SessionStore | undefined;
  readonly meta: StoreMeta;
  readonly ports: Ports;
  readonly agentName: string;
  readonly events$: Observable<AgentEvent>;
  readonly client$: Observable<LLMClient | undefined>;
  readonly openSession: (sessionId: string) => Promise<OwnedSession>;
  readonly wasRemoved: (sessionId: string) => Promise<boolean>;
  readonly onError: ErrorListener | undefined;
}

/** ms after which the clock is looked at again: it may be set, and a page may sleep. */
const tick = 60_000;
/** ms between two reads of a list that is shown: a reply that streams in another tab changes its session ten times a second. */
const pause = 1_000;

/**
 * A planned prompt is a message in the queue of its session, with the time at which it is due. The list only states which sessions to open, and when.
 *
 * Invariant: a prompt waits while the key of the client is locked: the person may be away.
 * Invariant: a prompt is sent at most once, in however many tabs it is due: a log takes one message of an id, and a request waits for that.
 * Invariant: the list names a prompt before its session has it, and until the log that has sent or cancelled it is stored: a tab that dies loses none.
 */
export function createSchedules(options: SchedulesOptions): Schedules {
  const { store, ports, events$, client$, openSession, wasRemoved, onError } = options;
  const list = createScheduleList(options.meta, `scheduled/${options.agentName}`, noteChange);
  let cancelTimer = (): void => {};
  let isLooking = false;
  let isAsked = false;
  /** Invariant: nothing is read for a page that shows no planned prompts and plans none. */
  let isActive = false;
  let isClosed = false;
  let listening: Subscription | undefined;

  const isPlanned = (sessionId: string): boolean =>
    Array.from(list.plans().values()).some((plan) => plan.sessionId === sessionId);

  const lock = createClientLock(client$);

  /** A list that cannot be read or written now, because a vault is locked for example, is read with the next look. */
  const later = (work: Promise<unknown>): void => void work.catch(() => {});

  function noteChange(): void {
    if (isClosed) return;
    // What a session records is of interest only while something is planned.
    if (list.plans().size > 0) listening ??= events$.subscribe(follow);
    else {
      listening?.unsubscribe();
      listening = undefined;
    }
    arm();
  }

  function arm(): void {
    cancelTimer();
    cancelTimer = () => {};
    if (isClosed || (list.isRead() && list.plans().size === 0)) return;
    const now = ports.now();
    // A timer of the browser is no clock: it is short, so that a clock that jumps is noticed.
    const waits = Array.from(list.plans().values(), ({ due }) => (due > now ? due - now : tick));
    cancelTimer = ports.delay(look, Math.min(tick, ...waits), true);
  }

  function look(): void {
    if (isClosed || !isActive) return;
    isAsked = isLooking;
    if (isLooking) return;
    isLooking = true;
    void check()
      .catch(() => {})
      .then(() => {
        isLooking = false;
        arm();
        if (isAsked) look();
      });
  }

  async function check(): Promise<void> {
    await list.read();
    if (ports.drives?.() === false) return;
    const plans = Array.from(list.plans().values()).toSorted((one, other) => one.due - other.due);
    for (const plan of plans) {
      if (isClosed || plan.due > ports.now()) return;
      try {
        await fire(plan);
        list.note(plan.id, undefined);
      } catch (thrown) {
        const error = toAgentError(thrown);
        if (list.note(plan.id, error)) notifyError(onError, error, { sessionId: plan.sessionId });
      }
    }
  }

  /** Rejects with why the prompt stays. */
  async function fire({ id, sessionId, missed, due }: Plan): Promise<void> {
    const late = ports.now() - due;
    const session = await open(sessionId, late);
    if (session === undefined) return;
    if (missed === 'skip' && late > mostLate && plannedIn(session, id)) session.unqueue(id);
    else {
      if (plannedIn(session, id) && lock.isLocked()) throw lockedKey();
      // Another tab may have written the list, and not yet the session.
      if (!(await session.sendDue(id)) && late < tick) return;
    }
    await settle(session, id);
  }

  /** Returns `undefined` for a session that is gone, with its prompts. */
  async function open(sessionId: string, late: number): Promise<OwnedSession | undefined> {
    try {
      return await openSession(sessionId);
    } catch (thrown) {
      const { code } = toAgentError(thrown);
      if (code !== 'SESSION_NOT_FOUND' && code !== 'SESSION_REMOVED') throw thrown;
      list.noteRemoved(sessionId, true);
      if (code === 'SESSION_NOT_FOUND' || late > longestUndo) await list.drop((one) => one.sessionId === sessionId);
      return undefined;
    }
  }

  /** Takes a prompt from the list once its session is stored without it. */
  async function settle(session: OwnedSession, id: string): Promise<void> {
    await stored(session);
    if (!plannedIn(session, id)) await list.drop((plan) => plan.id === id);
  }

  function follow({ sessionId, event }: AgentEvent): void {
    const ids =
      event.type === 'session.cleared'
        ? Array.from(list.plans().values()).flatMap((plan) => (plan.sessionId === sessionId ? plan.id : []))
        : event.type === 'message.unqueued'
          ? [event.messageId]
          : event.type === 'message.added' || event.type === 'message.queued'
            ? [event.message.id]
            : [];
    for (const id of ids)
      if (list.plans().has(id)) later(openSession(sessionId).then((session) => settle(session, id)));
  }

  /** Another tab may have changed the list, or removed a session of it. */
  function refresh(sessionId: string): void {
    if (isPlanned(sessionId)) later(wasRemoved(sessionId).then((isRemoved) => list.noteRemoved(sessionId, isRemoved)));
    reads.ask();
  }

  const reads = atMostEvery(
    () => (list.isShown() ? pause : tick),
    () => later(list.read()),
    ports,
    true,
  );

  const schedules$: Agent['schedules$'] = new Observable((subscriber) => {
    const shown = list.schedules$.subscribe(subscriber);
    // What was read before nothing showed the list may be old.
    if (!isActive) activate();
    else if (!isClosed) reads.askNow();
    return shown;
  });

  let following: Subscription | undefined;
  let stopShow = (): void => {};

  function activate(): void {
    if (isActive || isClosed) return;
    isActive = true;
    following = new Subscription();
    following.add(store?.changes$.subscribe(refresh));
    stopShow = ports.onShow(() => (list.plans().size > 0 || !list.isRead()) && look());
    following.add(lock.locked$.subscribe(() => look()));
    if (!isLooking) look();
  }

  const verbs: Schedules['verbs'] = {
    schedules$,
    getSchedules: list.getSchedules,
    async schedule(sessionId, input, when, given = {}) {
      const copy = readChatInput(input);
      const due = readDue(when, ports.now());
      const { missed = 'run' } = readScheduleOptions(given);
      const session = await openSession(readId(sessionId, 'The id of the session'));
      const message = toMessage({ role: 'user', ...copy }, ports, broughtBy(input));
      const { id } = message;
      const plan: Plan = { id, sessionId, text: shortened(extractTextContent(message)), due, missed };
      let isListed = false;
      activate();
      try {
        await session.plan(message, { due, ...(missed === 'skip' && { missed }) }, async () => {
          await list.put(plan);
          isListed = true;
        });
        await stored(session);
      } catch (thrown) {
        if (isListed && plannedIn(session, id)) session.unqueue(id);
        if (isListed) later(list.drop((one) => one.id === id));
        throw thrown;
      }
      await list.read();
      // Another tab, whose clock is ahead, has found the list without the message.
      if (plannedIn(session, id) && !list.plans().has(id)) await list.put(plan);
      // It became due meanwhile: the next look is in a minute.
      if (due <= ports.now()) look();
      return { id };
    },
    async unschedule(given) {
      const id = readId(given, 'The id of the prompt');
      activate();
      await list.read();
      const plan = list.plans().get(id);
      const session = plan && (await open(plan.sessionId, 0));
      if (session === undefined) return false;
      const wasPlanned = plannedIn(session, id) !== undefined;
      if (wasPlanned) session.unqueue(id);
      await settle(session, id);
      // Another tab may have sent it meanwhile.
      return wasPlanned && !session.getMessages().some((message) => message.id === id);
    },
  };

  return {
    verbs,
    noteRemoved: list.noteRemoved,
    noteLoaded({ id, getState }) {
      const found = getState().queue.flatMap((queued) => toPlan(id, queued) ?? []);
      if (found.length === 0) return;
      activate();
      // Without `meta` the list lasts as long as the page.
      if (!store?.meta) later(list.put(...found));
    },
    close() {
      isClosed = true;
      cancelTimer();
      reads.stop();
      following?.unsubscribe();
      listening?.unsubscribe();
      stopShow();
      list.close();
    },
  };
}

/** The message is for the person at the page. */
function lockedKey(): AgentError {
  return new AgentError('The key is locked. Unlock it: the prompt is sent then.', { code: 'AUTHENTICATION_LOCKED' });
}

/** How often another tab may be first. */
const mostConflicts = 5;

/** Resolves when the session is stored. What another tab has overtaken is written again. */
async function stored(session: Pick<OwnedSession, 'flushed'>): Promise<void> {
  for (let conflicts = 0; ; conflicts++)
    try {
      return await session.flushed();
    } catch (thrown) {
      if (toAgentError(thrown).code !== 'STORAGE_CONFLICT' || conflicts === mostConflicts) throw thrown;
    }
}

const plannedIn = ({ getState }: Pick<OwnedSession, 'getState'>, id: string): QueuedMessage | undefined =>
  getState().queue.find(({ message, due }) => message.id === id && due !== undefined);

function toPlan(sessionId: string, { message, due, missed }: QueuedMessage): Plan | undefined {
  const text = shortened(extractTextContent(message));
  return due === undefined ? undefined : { id: message.id, sessionId, text, due, missed: missed ?? 'run' };
}
