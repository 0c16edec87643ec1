import type { Observable } from 'rxjs';
import { AgentError, fromErrorInfo } from './error.ts';
import type { JsonObject } from './json.ts';
import type { LLMRequest } from './llm/client.ts';
import type { RunOutcome, SessionEvent } from './log/event.ts';
import { findCall, type SessionState } from './log/evolve.ts';
import type { Log } from './log/log.ts';
import { lastReply, type SessionStatus, statusOf } from './log/status.ts';
import type { StorageStatus, Writer } from './log/writer.ts';
import { type Message, type MessageInput, type Part, type ToolPart, toMessage } from './message.ts';
import type { Ports } from './ports.ts';
import type { Policy } from './run/next.ts';
import type { RunEnv } from './run/perform.ts';
import { createRun, type Run } from './run/run.ts';

/** What a person says: text, or parts where there is more than text. */
export interface ChatInput {
  readonly content: string | readonly Part[];
  readonly metadata?: JsonObject;
}

/** For one run only. */
export interface RunOptions {
  /** Overrides the agent's model. */
  readonly model?: string;
  /** See `LLMRequest.providerParams`. */
  readonly providerParams?: JsonObject;
}

/** How a run came to rest. */
export interface RunResult {
  readonly outcome: RunOutcome;
  /** The last reply, however far it came. */
  readonly message?: Message;
  /** Why, where `outcome` is `failed` or `interrupted`. */
  readonly error?: AgentError;
}

export interface ApproveOptions {
  /** Run the call with this input instead of the model's; it must fit the tool's schema. */
  readonly input?: JsonObject;
}

export interface RejectOptions {
  /** Told to the model. */
  readonly reason?: string;
}

/**
 * One conversation. Every `x$` gives a new subscriber its current value at once; the getter beside it is never stale
 * and returns the same reference for as long as nothing changed.
 *
 * All verbs throw (or reject with) `AgentError`; `SESSION_REMOVED` after the session has been removed.
 */
export interface AgentSession {
  readonly id: string;

  /** At most once a frame while text streams, at once for anything else. */
  readonly messages$: Observable<readonly Message[]>;
  getMessages(): readonly Message[];
  readonly status$: Observable<SessionStatus>;
  getStatus(): SessionStatus;
  /** The whole fold; `messages$` and `status$` are views of it. */
  readonly state$: Observable<SessionState>;
  getState(): SessionState;
  readonly storage$: Observable<StorageStatus>;
  getStorage(): StorageStatus;
  /** Every event from now on, at once and in order. */
  readonly events$: Observable<SessionEvent>;

  /** Adds a message without asking the model. Gives its id. */
  addMessage(message: MessageInput): string;
  /**
   * Replaces a message by what `updater` makes of it; id and role stay. The updater runs once.
   *
   * @throws AgentError `MESSAGE_NOT_FOUND`
   */
  updateMessage(messageId: string, updater: (message: Message) => Message): void;
  /** Cancels what runs and forgets all messages; title and log stay. */
  clear(): void;
  rename(title: string): void;

  /**
   * Asks the agent. Resolves when the run has come to rest, and never rejects for what happened in it: see `outcome`.
   *
   * @throws AgentError at once: `SESSION_BUSY` while a run goes on, `INVALID_INPUT` for nothing to say
   */
  send(input: string | ChatInput, options?: RunOptions): Promise<RunResult>;
  /** Stops the run: requests and tools are aborted, what was said stays. Nothing happens where nothing runs. */
  cancel(): void;
  /**
   * Goes on where the last run stopped: after an interruption, a failure, a limit, a cancel.
   *
   * @throws AgentError at once: `NOTHING_TO_RESUME`, `SESSION_BUSY`
   */
  resume(options?: RunOptions): Promise<RunResult>;
  /**
   * Answers anew, from the last user message or the given one. If nothing comes, the old answer comes back.
   *
   * @throws AgentError at once: `MESSAGE_NOT_FOUND`, `NOTHING_TO_RESUME`, `SESSION_BUSY`
   */
  regenerate(messageId?: string, options?: RunOptions): Promise<RunResult>;
  /** Rejects with `CALL_NOT_FOUND`, `CALL_NOT_PENDING`, or `INVALID_INPUT` for an edited input that does not fit (the call stays held). */
  approve(callId: string, options?: ApproveOptions): Promise<void>;
  /** Rejects with `CALL_NOT_FOUND`, `CALL_NOT_PENDING`. */
  reject(callId: string, options?: RejectOptions): Promise<void>;

  /** Resolves when everything so far is in the store; rejects with the storage's error. */
  saved(): Promise<void>;
}

/** What a session is made with; the agent's business. */
export interface SessionOptions {
  readonly log: Log;
  readonly writer: Writer;
  readonly env: Omit<RunEnv, 'flush' | 'sessionId' | 'toRequest'> & { readonly ports: Ports };
  readonly toRequest: (state: SessionState, options: RunOptions) => LLMRequest;
  readonly policy: Policy;
}

/** A session that can also be put away. */
export interface OwnedSession extends AgentSession {
  /** Ends its streams; every verb throws from now on. Waits for nothing. */
  close(): void;
}

export function createAgentSession({ log, writer, env, toRequest, policy }: SessionOptions): OwnedSession {
  const { id } = log.getState();
  const { ports, tools } = env;
  let run: Run | undefined;
  let closed = false;

  function checkUsable(): void {
    if (closed) throw new AgentError(`Session ${id} has been removed.`, { code: 'SESSION_REMOVED' });
    const storage = writer.getStatus();
    if (storage.state === 'stale')
      throw new AgentError('Another tab has gone on with this session. Reload to see it.', {
        code: 'SESSION_READ_ONLY',
        cause: storage.error,
      });
  }

  function checkIdle(): void {
    checkUsable();
    const status = statusOf(log.getState());
    if (status === 'running' || status === 'waiting') {
      throw new AgentError(`Session ${id} is ${status}: wait for the end of its run, or cancel it.`, {
        code: 'SESSION_BUSY',
      });
    }
  }

  /** Starts a run that answers what has just been appended, or goes on with an earlier run. */
  function start(options: RunOptions, resumes?: string): Promise<RunResult> {
    const runId = ports.id();
    const result = resultOf(runId);
    log.append({ type: 'run.started', runId, ...(resumes !== undefined && { resumes }) });
    run = createRunHere(options);
    run.advance();
    return result;
  }

  function createRunHere(options: RunOptions): Run {
    return createRun(
      log,
      { ...env, sessionId: id, flush: writer.flush, toRequest: (state) => toRequest(state, options) },
      policy,
    );
  }

  function resultOf(runId: string): Promise<RunResult> {
    return new Promise((resolve) => {
      const subscription = log.events$.subscribe({
        next(event) {
          if (event.type !== 'run.ended' || event.runId !== runId) return;
          subscription.unsubscribe();
          const message = lastReply(log.getState().messages);
          resolve({
            outcome: event.outcome,
            ...(message && { message }),
            ...(event.error && { error: fromErrorInfo(event.error) }),
          });
        },
        complete: () => resolve({ outcome: 'cancelled' }),
      });
    });
  }

  /** A decision has been made: whoever runs goes on, and if the run's owner is gone, the run is taken up. */
  function goOn(): void {
    const state = log.getState();
    if (state.run?.outcome !== undefined) void start({}, state.run.id);
    else {
      run ??= createRunHere({});
      run.advance();
    }
  }

  function heldCall(callId: string): ToolPart {
    checkUsable();
    const call = findCall(log.getState(), callId)?.call;
    if (call === undefined)
      throw new AgentError(`There is no call ${callId} in session ${id}.`, { code: 'CALL_NOT_FOUND' });
    if (call.status !== 'held') {
      throw new AgentError(`The call of ${call.name} is ${call.status}: there is nothing to decide any more.`, {
        code: 'CALL_NOT_PENDING',
      });
    }
    return call;
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
    // After a reload a waiting run has nobody who runs it.
    (run ?? createRunHere({})).end('cancelled');
    run = undefined;
  }

  return {
    id,
    messages$: log.view((state) => state.messages),
    getMessages: () => log.getState().messages,
    status$: log.view(statusOf),
    getStatus: () => statusOf(log.getState()),
    state$: log.view((state) => state),
    getState: log.getState,
    storage$: writer.status$,
    getStorage: writer.getStatus,
    events$: log.events$,

    addMessage(input) {
      checkUsable();
      const message = toMessage(input, ports);
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
    send(input, options = {}) {
      checkIdle();
      const { content, metadata } = typeof input === 'string' ? { content: input } : input;
      const message = toMessage({ role: 'user', content, ...(metadata && { metadata }) }, ports);
      if (message.content.every((part) => part.type === 'text' && part.text.trim() === '')) {
        throw new AgentError('There is nothing to send: the message is empty.', { code: 'INVALID_INPUT' });
      }
      log.append({ type: 'message.added', message });
      return start(options);
    },
    cancel,
    resume(options = {}) {
      checkIdle();
      const { run: last } = log.getState();
      if (last === undefined || last.outcome === 'completed') {
        throw new AgentError(`Session ${id} has no run to go on with.`, { code: 'NOTHING_TO_RESUME' });
      }
      return start(options, last.id);
    },
    regenerate(messageId, options = {}) {
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
      return start(options);
    },
    async approve(callId, { input } = {}) {
      const call = heldCall(callId);
      if (input !== undefined) {
        await checkEdited(call, input);
        heldCall(callId);
      }
      log.append({ type: 'call.decided', callId, verdict: 'approved', by: 'person', ...(input && { input }) });
      goOn();
    },
    async reject(callId, { reason } = {}) {
      heldCall(callId);
      log.append({
        type: 'call.decided',
        callId,
        verdict: 'rejected',
        by: 'person',
        ...(reason !== undefined && { reason }),
      });
      goOn();
    },
    saved: () => writer.flush(),
    close() {
      cancel();
      closed = true;
      writer.close();
      log.close();
    },
  };
}
