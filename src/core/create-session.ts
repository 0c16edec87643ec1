import { AgentError, fail, fromErrorInfo, toAgentError } from './error.ts';
import { defined, type JsonObject } from './json.ts';
import type { LLMRequest } from './llm/client.ts';
import type { EventBody, SessionEvent } from './log/event.ts';
import { findCall, openRun, type SessionState } from './log/evolve.ts';
import { when } from './log/current.ts';
import { follow } from './log/follow.ts';
import type { Log } from './log/log.ts';
import { recover } from './log/recover.ts';
import { lastReply, type SessionStatus, statusOf } from './log/status.ts';
import type { SessionStore } from './log/store.ts';
import type { Writer } from './log/writer.ts';
import { type Message, type ToolPart, toMessage } from './message.ts';
import { createOwnership } from './ownership.ts';
import type { Ports } from './ports.ts';
import type { Policy } from './run/next.ts';
import type { RunEnv } from './run/perform.ts';
import { createRun, type Run } from './run/run.ts';
import type { AgentSession, ApproveOptions, RejectOptions, RunOptions, RunResult } from './session.ts';

export interface SessionOptions {
  readonly log: Log;
  readonly writer: Writer;
  readonly store: SessionStore | undefined;
  readonly env: Pick<RunEnv, 'client' | 'tools'> & { readonly ports: Ports };
  readonly toRequest: (state: SessionState, options: RunOptions) => LLMRequest;
  readonly policy: Policy;
  /** Called when another tab has removed the session. */
  readonly onGone: () => void;
}

/** A session that can also be put away. */
export interface OwnedSession extends AgentSession {
  /** Cancels its run, ends its streams; every verb throws from now on. Waits for nothing. */
  close(): void;
}

/** Whether nothing else may begin. */
function isUnderWay(status: SessionStatus): boolean {
  return status === 'running' || status === 'waiting';
}

export function createAgentSession(options: SessionOptions): OwnedSession {
  const { log, writer, store, env, toRequest, policy, onGone } = options;
  const { append, getState } = log;
  const { id } = getState();
  const status$ = log.view(statusOf);
  const { ports, tools } = env;
  /** The run that this tab drives. */
  let run: Run | undefined;
  /** Whoever waits here for the tab that runs the session to go: one at a time. */
  let watch: symbol | undefined;
  let closed = false;
  /** Who waits for the end of which run. */
  const awaited = new Map<string, (result: RunResult) => void>();
  /** What is being sent: it is sent again by itself if another tab was first. */
  const sending = new Set<string>();

  const ownership = createOwnership(id, store?.locks, () => {
    leave();
    letGo();
  });
  const following = store && follow({ store, sessionId: id, log, writer, onOthers: letGo, onLost, onGone });

  const getStatus = (): SessionStatus => statusOf(getState());
  const runsElsewhere = (): boolean => run === undefined && getStatus() === 'running';

  /** Another tab runs the session, or has stored something: what this tab drives has lost its ground. */
  function letGo(): void {
    if (run !== undefined) leave();
    run?.abandon();
    run = undefined;
    // When it is taken in: it may say that the session still runs, but elsewhere.
    queueMicrotask(() => void watchOver());
  }

  /** Another tab was first. What a person did here is done again on top of that; what ran here is over. */
  function onLost(events: readonly SessionEvent[]): void {
    const error = new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' });
    for (const runId of awaited.keys()) if (getState().run?.id !== runId) settle(runId, { outcome: 'failed', error });
    const again = events.filter(
      (event) => event.type === 'session.renamed' || (event.type === 'message.added' && !sending.has(event.message.id)),
    );
    if (again.length === 0) return;
    void whenIdle().then(() => {
      for (const { seq: _seq, at: _at, v: _v, ...body } of again) {
        // It may have been stored, although the store said that it had not.
        const isThere = body.type === 'message.added' && findMessage(body.message.id) !== undefined;
        if (!closed && !isThere) append(body);
      }
    });
  }

  function onStatus(status: SessionStatus): void {
    if (status !== 'running') rest();
    else void watchOver();
  }

  function leave(): void {
    watch = undefined;
    ownership.leave();
  }

  /** When the tab that runs the session is gone, or was gone before this one came, what it left open is closed here. */
  async function watchOver(): Promise<void> {
    if (closed || watch !== undefined || !runsElsewhere() || store?.locks === undefined) return;
    const mine = (watch = Symbol());
    let seq: number;
    try {
      do {
        ({ seq } = getState());
        await ownership.enter();
        await following?.catchUp();
        if (watch !== mine || run !== undefined) return;
        // Whoever runs a session stands in the queue before anybody can read of it, but perhaps behind this tab:
        // only what has not changed since this tab went to the end of the queue is nobody's.
        if (getState().seq !== seq) ownership.leave();
      } while (getState().seq !== seq && runsElsewhere());
      closeWhatIsOpen();
    } catch {
      // This tab has left, or may hold no locks.
    } finally {
      if (watch === mine) watch = undefined;
    }
  }

  function closeWhatIsOpen(): void {
    if (closed || run !== undefined) return;
    for (const event of recover(getState())) append(event);
    rest();
  }

  /** Nothing runs here: as soon as everything is written, others may. Before that they would take it for interrupted. */
  function rest(): void {
    void writer.flush().catch(() => {});
    void when(writer.status$, ({ state }) => state !== 'saving' && state !== 'failed').then(() => {
      if (getStatus() !== 'running') leave();
    });
  }

  function checkUsable(): void {
    if (closed) fail('SESSION_REMOVED', `Session ${id} has been removed.`);
    const storage = writer.getStatus();
    if (storage.state === 'stale') {
      void following?.catchUp();
      fail('SESSION_READ_ONLY', `Another tab has gone on with session ${id}, which cannot be read now.`, storage.error);
    }
    if (runsElsewhere()) fail('SESSION_BUSY', `Another tab is running session ${id}.`);
  }

  function checkIdle(): void {
    checkUsable();
    const status = getStatus();
    if (isUnderWay(status))
      fail('SESSION_BUSY', `Session ${id} is ${status}: wait for the end of its run, or cancel it.`);
  }

  const whenIdle = (): Promise<void> => when(status$, (status) => !isUnderWay(status));

  /** Starts a run that answers what has just been appended, or goes on with an earlier run. */
  function start(runOptions: RunOptions, resumes?: string): Promise<RunResult> {
    const runId = ports.id();
    const result = new Promise<RunResult>((resolve) => awaited.set(runId, resolve));
    const here = drive(runId, runOptions);
    claim();
    append({ type: 'run.started', runId, ...defined({ resumes }) });
    here.advance();
    return result;
  }

  function drive(runId: string, runOptions: RunOptions): Run {
    const { enter: own } = ownership;
    const toRunRequest = (state: SessionState): LLMRequest => toRequest(state, runOptions);
    run = createRun(runId, log, { ...env, sessionId: id, own, flush: writer.flush, toRequest: toRunRequest }, policy);
    return run;
  }

  /** Gets in line for the session, before anybody can read that it runs. */
  function claim(): void {
    // Who waits for it hears of it; here nobody does yet.
    ownership.enter().catch(() => {});
  }

  function settle(runId: string, result: RunResult): void {
    awaited.get(runId)?.(result);
    awaited.delete(runId);
  }

  function note(event: SessionEvent): void {
    if (event.type !== 'run.ended') return;
    const message = lastReply(getState().messages);
    const error = event.error && fromErrorInfo(event.error);
    settle(event.runId, { outcome: event.outcome, ...defined({ message, error }) });
  }

  /** Sends; if another tab was first, once more when that is done. */
  async function sendOnce(message: Message, runOptions: RunOptions): Promise<RunResult> {
    if (!findMessage(message.id)) append({ type: 'message.added', message });
    const result = await start(runOptions);
    if (closed || result.error?.code !== 'STORAGE_CONFLICT') return result;
    await following?.catchUp();
    // What stands there now cannot be read: it would be refused again and again.
    if (writer.getStatus().state === 'stale') return result;
    await whenIdle();
    return closed ? result : sendOnce(message, runOptions);
  }

  function findMessage(messageId: string): Message | undefined {
    return getState().messages.find((message) => message.id === messageId);
  }

  function heldCall(callId: string): ToolPart {
    const call =
      findCall(getState(), callId)?.call ?? fail('CALL_NOT_FOUND', `There is no call ${callId} in session ${id}.`);
    if (call.status !== 'held')
      fail('CALL_NOT_PENDING', `The call of ${call.name} is ${call.status}: there is nothing to decide any more.`);
    return call;
  }

  /** The first of two deciders wins: the decision counts when it is stored. */
  async function decide(
    callId: string,
    decision: Omit<Extract<EventBody, { type: 'call.decided' }>, 'type' | 'callId' | 'by'>,
  ): Promise<void> {
    heldCall(callId);
    // The tab that runs the siblings has the word until they have ended.
    if (runsElsewhere()) await when(status$, (status) => status !== 'running');
    checkUsable();
    heldCall(callId);
    // Who decides runs. Else this tab would take what it has just let through for a run whose owner is gone.
    const current = openRun(getState());
    if (current) {
      run ??= drive(current.id, {});
      claim();
    }
    append({ type: 'call.decided', callId, by: 'person', ...decision });
    try {
      await writer.flush('strict');
    } catch (thrown) {
      if (toAgentError(thrown).code === 'STORAGE_CONFLICT') {
        await following?.catchUp();
        return decide(callId, decision);
      }
    }
    goOn();
    if (getStatus() !== 'running') rest();
  }

  /** A decision has been made: whoever runs goes on, and if the run's owner is gone, the run is taken up. */
  function goOn(): void {
    const { run: last } = getState();
    if (last?.outcome === 'interrupted' || last?.outcome === 'failed') void start({}, last.id);
    else if (last && openRun(getState())) (run ?? drive(last.id, {})).advance();
  }

  async function checkEdited(call: ToolPart, input: JsonObject): Promise<void> {
    const tool = tools.get(call.name) ?? fail('TOOL_NOT_FOUND', `The tool "${call.name}" is gone.`);
    const { problem } = await tool.check(input);
    if (problem !== undefined) fail('INVALID_INPUT', `The changed input does not fit: ${problem}`);
  }

  function cancel(): void {
    const current = openRun(getState());
    if (closed || current === undefined) return;
    if (run !== undefined) return run.end('cancelled');
    append({ type: 'run.ended', runId: current.id, outcome: 'cancelled' });
    // A tab that runs it may have written meanwhile: its run ends when this stands after that.
    const insist = (): void => {
      if (getState().run?.id === current.id) cancel();
    };
    void writer
      .flush()
      .catch(() => following?.catchUp())
      .then(insist);
  }

  const stopListening = ports.onHide((leaving) => {
    // What this tab runs ends with it, and the next one need not guess.
    if (leaving && getStatus() === 'running') run?.end('interrupted');
    void writer.flush().catch(() => {});
  });
  log.events$.subscribe(note);
  // Without locks nobody can tell whether the tab that left it open is still there; if it is, the store stops it.
  if (store?.locks === undefined && runsElsewhere()) closeWhatIsOpen();
  status$.subscribe(onStatus);

  return {
    id,
    messages$: log.view((state) => state.messages),
    getMessages: () => getState().messages,
    status$,
    getStatus,
    state$: log.view((state) => state),
    getState,
    storage$: writer.status$,
    getStorage: writer.getStatus,
    events$: log.events$,

    addMessage(input) {
      checkUsable();
      const message = toMessage(input, ports);
      if (findMessage(message.id)) fail('INVALID_INPUT', `There is a message ${message.id} already.`);
      append({ type: 'message.added', message });
      return message.id;
    },
    updateMessage(messageId, updater) {
      checkUsable();
      const message =
        findMessage(messageId) ?? fail('MESSAGE_NOT_FOUND', `There is no message ${messageId} in session ${id}.`);
      append({ type: 'message.updated', message: { ...updater(message), id: message.id, role: message.role } });
    },
    clear() {
      checkUsable();
      cancel();
      append({ type: 'session.cleared' });
    },
    rename(title) {
      checkUsable();
      append({ type: 'session.renamed', title });
    },
    send(input, runOptions = {}) {
      checkIdle();
      const { content, metadata } = typeof input === 'string' ? { content: input } : input;
      const message = toMessage({ role: 'user', content, ...defined({ metadata }) }, ports);
      if (message.content.every((part) => part.type === 'text' && part.text.trim() === ''))
        fail('INVALID_INPUT', 'The message to send is empty.');
      sending.add(message.id);
      return sendOnce(message, runOptions).finally(() => sending.delete(message.id));
    },
    cancel,
    async takeOver() {
      await ownership.take();
      await following?.catchUp();
      closeWhatIsOpen();
    },
    resume(runOptions = {}) {
      checkIdle();
      const { run: last } = getState();
      if (last === undefined || last.outcome === 'completed')
        return fail('NOTHING_TO_RESUME', `Session ${id} has no run to go on with.`);
      return start(runOptions, last.id);
    },
    regenerate(messageId, runOptions = {}) {
      checkIdle();
      const from =
        getState().messages.findLast(
          (message) => message.role === 'user' && (messageId === undefined || message.id === messageId),
        ) ??
        fail(
          messageId === undefined ? 'NOTHING_TO_RESUME' : 'MESSAGE_NOT_FOUND',
          `There is no message ${messageId ?? 'of a user'} in session ${id} to answer anew.`,
        );
      append({ type: 'session.rewound', messageId: from.id });
      return start(runOptions);
    },
    async approve(callId: string, { input }: ApproveOptions = {}) {
      const call = heldCall(callId);
      if (input !== undefined) await checkEdited(call, input);
      await decide(callId, { verdict: 'approved', ...defined({ input }) });
    },
    async reject(callId: string, { reason }: RejectOptions = {}) {
      await decide(callId, { verdict: 'rejected', ...defined({ reason }) });
    },
    saved: () => writer.flush(),
    close() {
      cancel();
      closed = true;
      stopListening();
      following?.close();
      leave();
      writer.close();
      log.close();
      for (const runId of awaited.keys()) settle(runId, { outcome: 'cancelled' });
    },
  };
}
