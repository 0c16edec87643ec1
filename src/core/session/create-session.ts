import { fail } from '../error.ts';
import { defined } from '../json.ts';
import { alternativesOf } from '../model/alternatives.ts';
import { type Command, decide, promptToAnswer, readiness } from '../model/commands.ts';
import { findCall } from '../model/find-call.ts';
import { isTruncated, type Message, toMessage } from '../model/message.ts';
import { brought, broughtAs, broughtBy } from '../model/origin.ts';
import { messageInput } from '../model/shapes/input-shape.ts';
import { readInput } from '../model/shapes/read-input.ts';
import { openRun, type QueuedMessage } from '../model/state.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import { createBranching } from './branching.ts';
import { checkNew } from './check-new.ts';
import { createDecisions } from './decisions.ts';
import { createGuard } from './guard.ts';
import { readAnswer, readChatInput, readDecision, readId, readSendOptions, readVersion } from './read-arguments.ts';
import { readRunOptions, settingsOf } from './run-settings.ts';
import { createRuns, type Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';
import type { AgentSession, ChatInput, RunOptions, RunResult, SendOptions } from './session.ts';
import { createTabs } from './tabs.ts';
import { createViews } from './views.ts';

/** A session as its agent uses it: the agent can also close the session. */
export interface OwnedSession extends AgentSession {
  /** As `send`, with copies that were checked already: see `read-arguments.ts`. A large attachment is copied once. */
  sendCopy(input: ChatInput, options: SendOptions): Promise<RunResult>;
  /** Completes the streams; every verb throws from then on. Cancels the run of a session that is removed. Does not wait for the last write. */
  unload(isRemoved: boolean): void;
  /**
   * Plans a message: it waits in the queue until `sendDue`. Rejects with `INVALID_INPUT` for an id that the session has, and as `list` does.
   *
   * @param list awaited before the message is in the queue
   */
  plan(message: Message, time: Pick<QueuedMessage, 'due' | 'missed'>, list: () => Promise<void>): Promise<void>;
  /**
   * Sends a planned message, or lets it follow the run that is under way. Resolves with whether it was still planned.
   *
   * Rejects as `send` throws: the message stays planned.
   */
  sendDue(messageId: string): Promise<boolean>;
  /** Whether this tab drives the open run. */
  isDriving(): boolean;
  /** Lets the run of this tab take its next step, if there is one. */
  advance(): void;
  /** Ends the run of this tab as interrupted; a run that waits for a person stays open. */
  interrupt(): void;
  /** Whether the session may be removed from memory: no run is under way, every event is stored, no stream has a subscriber. */
  isIdle(): boolean;
}

/** Creates a session from its parts: the runs that this tab drives, the other tabs, and the decisions of a person. */
export function createAgentSession(env: SessionEnv): OwnedSession {
  return createDrivenSession(env).session;
}

/** As `createAgentSession`, with the runs of the session. */
export function createDrivenSession(env: SessionEnv): { readonly session: OwnedSession; readonly runs: Runs } {
  const { log, link, ports } = env;
  const { getState, peek } = log;
  const { id } = peek();
  const { views, isWatched } = createViews(env);
  const runs = createRuns(
    env,
    ({ callId, isLate }) => {
      // Not within the step that finds the call: an expiry appends events. Rejects if a person or another tab has decided the call first.
      Promise.resolve()
        .then(() => decisions.expire(callId, isLate))
        .catch(() => {});
    },
    goOn,
  );
  const check = createGuard(env, runs);
  const decisions = createDecisions(env, runs, check);
  const branching = createBranching(env, { check, runs, until });
  const tabs = createTabs(env, runs);

  /** Resumes a run that was cut, without a person. */
  function goOn(): void {
    const { run: last } = peek();
    if (last === undefined || ports.drives?.() === false) return;
    try {
      check('idle');
      runs.check({}, last.settings, last.promptId);
      void runs.start({}, { resumes: last.id, isAutomatic: true });
    } catch {
      // A person resumes it: this page lacks an option of the run, or the session cannot be changed now.
    }
  }

  function cancel(): void {
    runs.autoResume.cancel();
    // The end of the run closes its calls: their sessions are not found after it.
    env.tree?.cancelBelow();
    tabs.cancel();
  }

  /** The session below that has this call, where it is not one of this session. */
  function holderOf(callId: string): ReturnType<NonNullable<typeof env.tree>['holderOf']> {
    return env.tree && findCall(getState(), callId) === undefined ? env.tree.holderOf(callId) : undefined;
  }

  /** Begins a run, ends it when its signal aborts, and takes a message that still waits from the queue then. */
  function until({ signal }: RunOptions, begin: () => Promise<RunResult>, promptId?: string): Promise<RunResult> {
    if (signal?.aborted) return Promise.resolve({ outcome: 'cancelled' });
    const result = begin();
    const runId = openRun(peek())?.id;
    const stop = (): void => {
      const { queue } = peek();
      const open = openRun(peek());
      if (queue.some(({ message }) => message.id === promptId))
        log.append({ type: 'message.unqueued', messageId: promptId ?? '' });
      else if (promptId === undefined ? open?.id === runId : open?.promptId === promptId) tabs.cancel();
    };
    signal?.addEventListener('abort', stop);
    void result.then(() => signal?.removeEventListener('abort', stop));
    return result;
  }

  function dispatch(command: Command): void {
    check(readiness[command.do]);
    log.append(decide(log, command));
  }

  function sendCopy(input: ChatInput, { whenBusy = 'refuse', ...options }: SendOptions): Promise<RunResult> {
    check('open');
    runs.check(options);
    checkNew(log, input.id);
    const message = toMessage({ role: 'user', ...input }, ports, broughtBy(input));
    const begin = (): Promise<RunResult> => {
      if (whenBusy === 'interrupt') tabs.cancel();
      else if (whenBusy !== 'refuse' && isUnderWay(statusOf(peek()))) return runs.queue(message, whenBusy, options);
      check('idle');
      return runs.send(message, options);
    };
    return until(options, begin, message.id);
  }

  async function close(): Promise<void> {
    if (link.isClosed()) return;
    runs.autoResume.cancel();
    // A run that waits for a person stays in the store.
    if (statusOf(peek()) === 'running') runs.current()?.end('interrupted');
    if (link.getStatus().state !== 'read-only') await link.flush();
    env.onClose();
  }

  const session: OwnedSession = {
    ...views,

    addMessage(input) {
      check(readiness.add);
      const read = readInput(input, messageInput, 'The message');
      const message = toMessage(read, ports, broughtBy(input, { type: 'page' }));
      dispatch({ do: 'add', message });
      return message.id;
    },
    alternatives: (messageId) => alternativesOf(getState(), messageId),
    updateMessage: (messageId, updater) => dispatch({ do: 'update', messageId, updater }),
    removeMessage: (messageId) => dispatch({ do: 'remove', messageId }),
    clear() {
      check(readiness.clear);
      // The person at this tab has not seen the events that another tab has just stored.
      if (link.isReading()) fail('SESSION_BUSY', `Another tab has changed session ${id}: try again.`);
      cancel();
      dispatch({ do: 'clear' });
    },
    setMetadata: (metadata) => dispatch({ do: 'describe', metadata }),
    rename: (title) => dispatch({ do: 'rename', title }),
    unqueue: (messageId) => dispatch({ do: 'unqueue', messageId }),
    revokeApprovalRule: (toolName) => dispatch({ do: 'revoke', toolName }),
    restoreContext: (compactionId) => dispatch({ do: 'restore', compactionId }),
    pin: (messageId, pinned = true) => dispatch({ do: 'pin', messageId, pinned }),

    send(input, options = {}) {
      check('open');
      return sendCopy(brought(readChatInput(input), broughtBy(input)), readSendOptions(options));
    },
    sendCopy,
    resuming$: runs.autoResume.pending$,
    getResuming: runs.autoResume.getPending,
    cancel,
    terminate: cancel,
    takeOver: link.takeOver,
    resume(given = {}) {
      check('idle');
      const options = readRunOptions(given, 'resume');
      const { run: last, messages } = getState();
      const isDone = last === undefined || last.outcome === 'completed';
      const queued = isDone ? runs.startQueued() : undefined;
      if (queued !== undefined) return queued;
      if (last === undefined || (isDone && !messages.slice(-1).some(isTruncated)))
        return fail('NOTHING_TO_RESUME', `Session ${id} has nothing to resume.`);
      runs.check(options, last.settings, last.promptId);
      return until(options, () => runs.start(options, { resumes: last.id }));
    },
    regenerate(given, givenOptions = {}) {
      check('idle');
      const messageId = given === undefined ? undefined : readId(given, 'The id of the message');
      const options = readRunOptions(givenOptions, 'regenerate');
      const prompt = promptToAnswer(getState(), messageId);
      const base = settingsOf(getState(), prompt.id);
      runs.check(options, base, prompt.id);
      const cause = { type: 'session.rewound', messageId: prompt.id } as const;
      return until(options, () => runs.start(options, { base, cause }));
    },
    async edit(messageId, input, options = {}) {
      // The text alone may be empty: images and files of the message stay.
      const edited = typeof input === 'string' ? input : broughtAs(readChatInput(input), input);
      const copies = [readId(messageId, 'The id of the message'), edited, readRunOptions(options, 'edit')] as const;
      return branching.edit(...copies);
    },
    async selectAlternative(messageId, version) {
      const copies = [readId(messageId, 'The id of the message'), readVersion(version)] as const;
      return branching.selectAlternative(...copies);
    },
    compact() {
      check('idle');
      return runs.start({}, { isCompaction: true });
    },
    async approve(callId, options = {}) {
      const copies = [readId(callId, 'The id of the call'), readDecision(options, 'approve')] as const;
      return holderOf(callId)?.approve(callId, options) ?? decisions.approve(...copies);
    },
    async reject(callId, options = {}) {
      const copies = [readId(callId, 'The id of the call'), readDecision(options, 'reject')] as const;
      return holderOf(callId)?.reject(callId, options) ?? decisions.reject(...copies);
    },
    async answer(callId, answer, options = {}) {
      const copies = [
        readId(callId, 'The id of the call'),
        readAnswer(answer),
        readDecision(options, 'answer'),
      ] as const;
      return holderOf(callId)?.answer(callId, answer, options) ?? decisions.answer(...copies);
    },
    async plan(message, time, list) {
      check('open');
      checkNew(log, message.id);
      await list();
      check('open');
      log.append({ type: 'message.queued', message, mode: 'queue', ...time });
    },
    async sendDue(messageId) {
      check('open');
      // Another tab may have sent or cancelled it.
      await link.catchUp();
      check('open');
      const planned = peek().queue.find(({ message, due }) => message.id === messageId && due !== undefined);
      if (planned === undefined) return false;
      const { settings } = planned;
      const message = { ...planned.message, timestamp: ports.now() };
      runs.check({}, settings, messageId);
      if (isUnderWay(statusOf(peek())) || runs.autoResume.getPending())
        log.append({ type: 'message.queued', message, mode: 'queue', ...defined({ settings }), isDue: true });
      else {
        check('idle');
        void runs.admitPlanned({ message, settings });
      }
      return true;
    },
    isDriving: () => runs.current() !== undefined && openRun(peek()) !== undefined,
    advance: () => runs.current()?.advance(),
    interrupt() {
      if (statusOf(peek()) === 'running') runs.current()?.end('interrupted');
    },
    flushed: () => link.flush(),
    isIdle: () =>
      env.tree?.isNeeded() !== true &&
      !isUnderWay(statusOf(peek())) &&
      runs.autoResume.getPending() === undefined &&
      link.isSaved() &&
      !isWatched(),
    close,
    [Symbol.asyncDispose]: close,
    unload(isRemoved) {
      if (isRemoved) tabs.cancel();
      else runs.abandonRun();
      link.flushNow();
      tabs.close();
      link.close();
      log.close();
      runs.close();
    },
  };
  return { session, runs };
}
