import { AgentError, fromErrorInfo, toAgentError } from './error.ts';
import type { JsonObject } from './json.ts';
import type { LLMRequest } from './llm/client.ts';
import type { EventBody, SessionEvent } from './log/event.ts';
import { findCall, type SessionState } from './log/evolve.ts';
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

export function createAgentSession(options: SessionOptions): OwnedSession {
  const { log, writer, store, env, toRequest, policy, onGone } = options;
  const { id } = log.getState();
  const { ports, tools } = env;
  /** The run that this tab drives. */
  let run: Run | undefined;
  let closed = false;
  /** Who waits for the end of which run. */
  const awaited = new Map<string, (result: RunResult) => void>();
  /** What is being sent: it is sent again by itself if another tab was first. */
  const sending = new Set<string>();

  const ownership = createOwnership(id, store?.locks, letGo);
  const following = store && follow({ store, sessionId: id, log, writer, onOthers: letGo, onLost, onGone });

  const getStatus = (): SessionStatus => statusOf(log.getState());
  const runsElsewhere = (): boolean => run === undefined && getStatus() === 'running';

  /** Another tab runs the session, or has stored something: what this tab drives has lost its ground. */
  function letGo(): void {
    run?.abandon();
    run = undefined;
    ownership.leave();
  }

  /** Another tab was first. What a person did here is done again on top of that; what ran here is over. */
  function onLost(events: readonly SessionEvent[]): void {
    for (const runId of awaited.keys()) {
      if (log.getState().run?.id === runId) continue;
      settle(runId, {
        outcome: 'failed',
        error: new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' }),
      });
    }
    const again = events.filter(
      (event) => event.type === 'session.renamed' || (event.type === 'message.added' && !sending.has(event.message.id)),
    );
    if (again.length > 0) {
      void whenIdle().then(() => {
        for (const { seq: _seq, at: _at, v: _v, ...body } of again) if (!closed) log.append(body);
      });
    }
  }

  function onStatus(status: SessionStatus): void {
    if (status !== 'running') rest();
    else if (runsElsewhere() && store?.locks !== undefined) {
      // When the tab that runs the session is gone, or was gone before this one came, what it left open is closed here.
      ownership
        .enter()
        .then(() => following?.catchUp())
        .then(closeWhatIsOpen, () => {});
    }
  }

  function closeWhatIsOpen(): void {
    if (closed || run !== undefined) return;
    for (const event of recover(log.getState())) log.append(event);
    rest();
  }

  /** Nothing runs here: as soon as everything is written, others may. */
  function rest(): void {
    const free = (): void => {
      if (run === undefined || getStatus() !== 'running') ownership.leave();
    };
    writer.flush().then(free, free);
  }

  function checkUsable(): void {
    if (closed) throw new AgentError(`Session ${id} has been removed.`, { code: 'SESSION_REMOVED' });
    const storage = writer.getStatus();
    if (storage.state === 'stale') {
      const message = 'Another tab has gone on with this session, and what it did cannot be read now.';
      throw new AgentError(message, { code: 'SESSION_READ_ONLY', cause: storage.error });
    }
    if (runsElsewhere()) throw new AgentError('Another tab is running this session.', { code: 'SESSION_BUSY' });
  }

  function checkIdle(): void {
    checkUsable();
    const status = getStatus();
    if (status === 'running' || status === 'waiting') {
      const message = `Session ${id} is ${status}: wait for the end of its run, or cancel it.`;
      throw new AgentError(message, { code: 'SESSION_BUSY' });
    }
  }

  const whenIdle = (): Promise<void> =>
    when(log.view(statusOf), (status) => status !== 'running' && status !== 'waiting');

  /** Starts a run that answers what has just been appended, or goes on with an earlier run. */
  function start(runOptions: RunOptions, resumes?: string): Promise<RunResult> {
    const runId = ports.id();
    const result = new Promise<RunResult>((resolve) => awaited.set(runId, resolve));
    const here = drive(runId, runOptions);
    log.append({ type: 'run.started', runId, ...(resumes !== undefined && { resumes }) });
    here.advance();
    return result;
  }

  function drive(runId: string, runOptions: RunOptions): Run {
    const mine = ownership.enter();
    // Whoever waits for it hears of it; here nobody does yet.
    mine.catch(() => {});
    const own = (): Promise<void> => mine;
    const toRunRequest = (state: SessionState): LLMRequest => toRequest(state, runOptions);
    run = createRun(runId, log, { ...env, sessionId: id, own, flush: writer.flush, toRequest: toRunRequest }, policy);
    return run;
  }

  function settle(runId: string, result: RunResult): void {
    awaited.get(runId)?.(result);
    awaited.delete(runId);
  }

  function note(event: SessionEvent): void {
    if (event.type !== 'run.ended') return;
    const message = lastReply(log.getState().messages);
    const error = event.error && fromErrorInfo(event.error);
    settle(event.runId, { outcome: event.outcome, ...(message && { message }), ...(error && { error }) });
  }

  /** Sends; if another tab was first, once more when that is done. */
  async function sendOnce(message: Message, runOptions: RunOptions): Promise<RunResult> {
    const isHere = (): boolean => log.getState().messages.some((one) => one.id === message.id);
    if (!isHere()) log.append({ type: 'message.added', message });
    const result = await start(runOptions);
    if (closed || result.error?.code !== 'STORAGE_CONFLICT') return result;
    await following?.catchUp();
    await whenIdle();
    return closed ? result : sendOnce(message, runOptions);
  }

  function heldCall(callId: string): ToolPart {
    const call = findCall(log.getState(), callId)?.call;
    if (call === undefined)
      throw new AgentError(`There is no call ${callId} in session ${id}.`, { code: 'CALL_NOT_FOUND' });
    if (call.status !== 'held') {
      const message = `The call of ${call.name} is ${call.status}: there is nothing to decide any more.`;
      throw new AgentError(message, { code: 'CALL_NOT_PENDING' });
    }
    return call;
  }

  /** The first of two deciders wins: the decision counts when it is stored. */
  async function decide(
    callId: string,
    decision: Omit<Extract<EventBody, { type: 'call.decided' }>, 'type' | 'callId' | 'by'>,
  ): Promise<void> {
    heldCall(callId);
    // The tab that runs the siblings has the word until they have ended.
    if (runsElsewhere()) await when(log.view(statusOf), (status) => status !== 'running');
    checkUsable();
    heldCall(callId);
    const { run: current } = log.getState();
    // Who decides runs. Else this tab would take what it has just let through for a run whose owner is gone.
    if (current !== undefined && current.outcome === undefined) run ??= drive(current.id, {});
    log.append({ type: 'call.decided', callId, by: 'person', ...decision });
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
    const { run: current } = log.getState();
    if (current === undefined) return;
    if (current.outcome === 'interrupted' || current.outcome === 'failed') void start({}, current.id);
    else if (current.outcome === undefined) (run ?? drive(current.id, {})).advance();
  }

  async function checkEdited(call: ToolPart, input: JsonObject): Promise<void> {
    const tool = tools.get(call.name);
    if (tool === undefined) throw new AgentError(`The tool "${call.name}" is gone.`, { code: 'TOOL_NOT_FOUND' });
    const { problem } = await tool.check(input);
    if (problem !== undefined)
      throw new AgentError(`The changed input does not fit: ${problem}`, { code: 'INVALID_INPUT' });
  }

  function cancel(): void {
    const { run: current } = log.getState();
    if (closed || current === undefined || current.outcome !== undefined) return;
    if (run !== undefined) return run.end('cancelled');
    log.append({ type: 'run.ended', runId: current.id, outcome: 'cancelled' });
    // A tab that runs it may have written meanwhile: its run ends when this stands after that.
    void insist(current.id);
  }

  async function insist(runId: string): Promise<void> {
    await writer.flush().catch(() => following?.catchUp());
    if (log.getState().run?.id === runId) cancel();
  }

  const stopListening = ports.onHide((leaving) => {
    // What this tab runs ends with it, and the next one need not guess.
    if (leaving && getStatus() === 'running') run?.end('interrupted');
    void writer.flush().catch(() => {});
  });
  log.events$.subscribe(note);
  // Without locks nobody can tell whether the tab that left it open is still there; if it is, the store stops it.
  if (store?.locks === undefined && runsElsewhere()) closeWhatIsOpen();
  log.view(statusOf).subscribe(onStatus);

  return {
    id,
    messages$: log.view((state) => state.messages),
    getMessages: () => log.getState().messages,
    status$: log.view(statusOf),
    getStatus,
    state$: log.view((state) => state),
    getState: log.getState,
    storage$: writer.status$,
    getStorage: writer.getStatus,
    events$: log.events$,

    addMessage(input) {
      checkUsable();
      const message = toMessage(input, ports);
      if (log.getState().messages.some((one) => one.id === message.id)) {
        throw new AgentError(`There is a message ${message.id} already.`, { code: 'INVALID_INPUT' });
      }
      log.append({ type: 'message.added', message });
      return message.id;
    },
    updateMessage(messageId, updater) {
      checkUsable();
      const message = log.getState().messages.find((one) => one.id === messageId);
      if (message === undefined)
        throw new AgentError(`There is no message ${messageId} in session ${id}.`, { code: 'MESSAGE_NOT_FOUND' });
      log.append({ type: 'message.updated', message: { ...updater(message), id: message.id, role: message.role } });
    },
    clear() {
      checkUsable();
      cancel();
      log.append({ type: 'session.cleared' });
    },
    rename(title) {
      checkUsable();
      log.append({ type: 'session.renamed', title });
    },
    send(input, runOptions = {}) {
      checkIdle();
      const { content, metadata } = typeof input === 'string' ? { content: input } : input;
      const message = toMessage({ role: 'user', content, ...(metadata && { metadata }) }, ports);
      if (message.content.every((part) => part.type === 'text' && part.text.trim() === '')) {
        throw new AgentError('There is nothing to send: the message is empty.', { code: 'INVALID_INPUT' });
      }
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
      const { run: last } = log.getState();
      if (last === undefined || last.outcome === 'completed') {
        throw new AgentError(`Session ${id} has no run to go on with.`, { code: 'NOTHING_TO_RESUME' });
      }
      return start(runOptions, last.id);
    },
    regenerate(messageId, runOptions = {}) {
      checkIdle();
      const { messages } = log.getState();
      const from = messages.findLast(
        (message) => message.role === 'user' && (messageId === undefined || message.id === messageId),
      );
      if (from === undefined) {
        throw messageId === undefined
          ? new AgentError(`Session ${id} has no question to answer anew.`, { code: 'NOTHING_TO_RESUME' })
          : new AgentError(`There is no message ${messageId} of a user in session ${id}.`, {
              code: 'MESSAGE_NOT_FOUND',
            });
      }
      log.append({ type: 'session.rewound', messageId: from.id });
      return start(runOptions);
    },
    async approve(callId: string, { input }: ApproveOptions = {}) {
      const call = heldCall(callId);
      if (input !== undefined) await checkEdited(call, input);
      await decide(callId, { verdict: 'approved', ...(input && { input }) });
    },
    async reject(callId: string, { reason }: RejectOptions = {}) {
      await decide(callId, { verdict: 'rejected', ...(reason !== undefined && { reason }) });
    },
    saved: () => writer.flush(),
    close() {
      cancel();
      closed = true;
      stopListening();
      following?.close();
      ownership.close();
      writer.close();
      log.close();
      for (const runId of awaited.keys()) settle(runId, { outcome: 'cancelled' });
    },
  };
}
