import { Observable, Subject, Subscription } from 'rxjs';
import { AgentError, fromErrorInfo, toAgentError } from '../error.ts';
import { defined } from '../json.ts';
import type { ToolTypes } from '../model/call.ts';
import type { SessionEvent } from '../model/event.ts';
import { findCall } from '../model/find-call.ts';
import { grow } from '../model/parts.ts';
import { lastReply } from '../model/status.ts';
import { type FinishReason, type Message, type Part, placeOf } from '../model/message.ts';
import { named, type OptionNames } from '../model/shapes/named.ts';
import { readFields, readInput } from '../model/shapes/read-input.ts';
import { flag } from '../model/shapes/shape.ts';
import type { OwnedSession } from './create-session.ts';
import { readChatInput, readSendOptions } from './read-arguments.ts';
import { runNames } from './run-settings.ts';
import type { ChatInput, RunOptions, RunResult, SendOptions } from './session.ts';

/** Options of `Agent.chat`. */
export interface ChatOptions extends RunOptions {
  /** Whether to emit while the answer streams; `false` emits once, at the end. Default `true`. */
  readonly stream?: boolean;
}

/** A part of an answer. */
export interface ChatOutput<Tools extends ToolTypes = ToolTypes> {
  /** Changes since the previous output: new text and reasoning, new parts, calls that changed. With `stream: false` the whole reply. */
  readonly content: readonly Part<Tools>[];
  /** The reply so far. */
  readonly message: Message<Tools>;
  /** `true` where `content` has the first text of a reply, whether or not reasoning came before; missing on all other outputs. */
  readonly isContentFirst?: true;
  /** The outcome of the run, on the last output only. */
  readonly outcome?: 'completed' | 'cancelled' | 'limit';
  /** See `RunResult.finish`; on the last output only. */
  readonly finish?: FinishReason;
}

/** Returns the session of a chat. @throws AgentError where it is not in memory */
export type FindSession = () => Pick<
  OwnedSession,
  'sendCopy' | 'resume' | 'cancel' | 'events$' | 'messages$' | 'getState'
>;

/** Options of a chat, copied and checked. */
interface ChatSettings {
  readonly stream: boolean;
  readonly run: SendOptions;
}

const chatNames: OptionNames<ChatOptions> = { ...runNames, stream: true };

/** As `chatWithCopies`, with what the caller passed: copied and checked within the call. Errors on subscription where an argument is refused. */
export function chat(find: FindSession, input: string | ChatInput, options: ChatOptions): Observable<ChatOutput> {
  try {
    const fields = readFields(options, 'The options of the chat');
    const { stream, ...run } = named(fields, chatNames, 'chat');
    const isStreamed = readInput(stream ?? true, flag, '`stream`');
    return chatWithCopies(find, readChatInput(input), { stream: isStreamed, run: readSendOptions(run, 'chat') });
  } catch (error) {
    return new Observable((subscriber) => subscriber.error(error));
  }
}

/**
 * Returns one run as a stream of outputs, at most one a frame. The first subscription starts the run, which all subscribers share; the run
 * is cancelled when the last subscriber leaves. A subscriber after the end of the run gets the last output. After an error, a new
 * subscription resumes the run (`retry()` of rxjs), or sends the message if it has not been sent.
 *
 * @param input copied and checked, as the options are
 */
function chatWithCopies(
  find: FindSession,
  input: ChatInput,
  { stream, run: options }: ChatSettings,
): Observable<ChatOutput> {
  const { whenBusy: _whenBusy, ...resumeOptions } = options;
  let outputs = new Subject<ChatOutput>();
  let last: ChatOutput | undefined;
  let watching = new Subscription();
  let hasFailed = false;
  /** Id of the message that was sent. After a conflict with another tab the message is sent again, with a run of its own. */
  let promptId: string | undefined;
  let session: ReturnType<FindSession> | undefined;
  let subscribers = 0;

  function emit(output: ChatOutput): void {
    last = output;
    outputs.next(output);
  }

  function start(): void {
    try {
      session = find();
      const { messages, run } = session.getState();
      const begin = placeOf(messages, promptId) + 1;
      const isResumed = begin > 0 && run?.promptId === promptId;
      watch(session, isResumed ? begin : undefined);
      const result = isResumed ? session.resume(resumeOptions) : session.sendCopy(input, options);
      const own = watching;
      // Fails when the run has ended without an event in the log: its tab lost the session.
      const failUnlessEnded = ({ error }: RunResult): void => {
        if (!own.closed) fail(error);
      };
      result.then(failUnlessEnded, failUnlessEnded);
    } catch (error) {
      fail(toAgentError(error));
    }
  }

  function fail(
    error = new AgentError('The run ended without a result: send the message again.', { code: 'STREAM_INTERRUPTED' }),
  ): void {
    watching.unsubscribe();
    hasFailed = true;
    outputs.error(error);
  }

  /** @param resumed index of the first message of the run that is resumed */
  function watch({ events$, messages$, getState }: ReturnType<FindSession>, resumed?: number): void {
    let run: { readonly id: string; readonly begin: number } | undefined;
    let isPromptAdded = resumed !== undefined;
    let fresh: readonly Part[] = [];
    const changedCalls = new Set<string>();
    let hasText = false;
    let isFirst = false;

    function replySoFar(): Message {
      const { messages, run: state } = getState();
      const nothingYet: Message = { id: state?.id ?? '', role: 'assistant', content: [], timestamp: 0 };
      return lastReply(messages.slice(run?.begin)) ?? nothingYet;
    }

    /** Returns the changes since the last call. */
    function drain(): Pick<ChatOutput, 'content' | 'isContentFirst'> {
      const calls = [...changedCalls].flatMap((callId) => findCall(getState(), callId)?.call ?? []);
      const changes = { content: [...fresh, ...calls], ...(isFirst && { isContentFirst: true as const }) };
      fresh = [];
      isFirst = false;
      changedCalls.clear();
      return changes;
    }

    function note(event: SessionEvent): void {
      if (event.type === 'message.added') {
        promptId ??= event.message.id;
        isPromptAdded = event.message.id === promptId;
      } else if (event.type === 'run.started') {
        if (isPromptAdded) run = { id: event.runId, begin: resumed ?? getState().messages.length };
        isPromptAdded = false;
      } else if (run === undefined) return;
      else if (event.type === 'run.ended' && event.runId === run.id) finish(event);
      else if (event.type === 'reply.started') hasText = false;
      else if (event.type === 'text.delta' || event.type === 'reasoning.delta') {
        fresh = grow(fresh, event);
        if (event.type === 'text.delta' && !hasText) hasText = isFirst = true;
      } else if (event.type === 'part.added') fresh = [...fresh, event.part];
      else if ('callId' in event) changedCalls.add(event.callId);
    }

    function finish({ outcome, error }: Extract<SessionEvent, { type: 'run.ended' }>): void {
      if (error?.code === 'STORAGE_CONFLICT') {
        run = undefined;
        drain();
        return;
      }
      if (outcome === 'failed' || outcome === 'interrupted') return fail(error && fromErrorInfo(error));
      watching.unsubscribe();
      const message = replySoFar();
      const finish = outcome === 'completed' ? message.finish : undefined;
      const whole = stream ? {} : { content: message.content };
      emit({ ...drain(), ...whole, message, outcome, ...defined({ finish }) });
      outputs.complete();
    }

    watching.add(events$.subscribe(note));
    watching.add(
      messages$.subscribe(() => {
        if (stream && (fresh.length > 0 || changedCalls.size > 0)) emit({ ...drain(), message: replySoFar() });
      }),
    );
  }

  return new Observable((subscriber) => {
    const isAgain = hasFailed;
    const first = isAgain || (subscribers === 0 && session === undefined);
    subscribers++;
    if (isAgain) {
      hasFailed = false;
      last = undefined;
      outputs = new Subject();
      watching = new Subscription();
    }
    if (last !== undefined) subscriber.next(last);
    subscriber.add(outputs.subscribe(subscriber));
    subscriber.add(() => {
      subscribers--;
      if (subscribers === 0 && !watching.closed) session?.cancel();
    });
    if (first) start();
  });
}
