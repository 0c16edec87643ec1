import { Observable } from 'rxjs';
import { AgentError, fail, toAgentError, toErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { LLMClient, LLMRequest } from '../model/llm.ts';
import { type CompactionCause, type EventBody, eventVersion } from '../model/event.ts';
import { addUsage } from '../model/usage.ts';
import type { SessionState } from '../model/state.ts';
import type { FinishReason, Usage } from '../model/message.ts';
import type { Ports } from '../ports.ts';
import type { Counter } from './count.ts';
import { liveRange } from './history.ts';
import type { Plan } from './plan.ts';
import type { CompactionStrategy } from './strategy.ts';
import type { Zoning } from './zones.ts';

export interface CompactEnv {
  readonly client: LLMClient;
  readonly model?: string | undefined;
  readonly strategy: CompactionStrategy;
  readonly edit?: ((summary: string) => string | Promise<string>) | undefined;
  /** ms that one question may take. */
  readonly timeout: number;
  readonly counter: Counter;
  readonly zoning: Zoning;
  /** Tokens of the request that a state makes, calibrated. */
  readonly size: (state: SessionState) => number;
  /** Tokens of a summary, and of a question for one. */
  readonly maxTokens: number;
  readonly askTokens: number;
  readonly ports: Pick<Ports, 'id' | 'delay'>;
}

type Compacted = Extract<EventBody, { readonly type: 'context.compacted' }>;

/**
 * Carries a plan out and tells what came of it, in one event: `context.compacted`, or `context.compaction-failed` with the reason, and
 * then nothing has changed. Never errors. Unsubscribing aborts the question.
 */
export function compact(
  state: SessionState,
  plan: Plan,
  cause: CompactionCause,
  env: CompactEnv,
): Observable<EventBody> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    let usage: Usage | undefined;
    let model: string | undefined;

    async function ask(instructions: string, input: string): Promise<Answer> {
      const answer = await answerTo(toQuestion(state.id, instructions, input, env.model), env, controller.signal);
      if (answer.usage) usage = usage ? addUsage(usage, answer.usage) : answer.usage;
      model = answer.model ?? model;
      return answer;
    }

    attempt(state, plan, cause, env, { ask, signal: controller.signal })
      .then(
        (event): EventBody => ({ ...event, ...defined({ usage, model }) }),
        (thrown: unknown): EventBody => ({
          type: 'context.compaction-failed',
          cause,
          error: toErrorInfo(toAgentError(thrown)),
          ...defined({ usage, model }),
        }),
      )
      .then((event) => {
        subscriber.next(event);
        subscriber.complete();
      })
      // A subscriber that throws is told so by its own means.
      .catch(() => {});
    return () => controller.abort();
  });
}

async function attempt(
  state: SessionState,
  { compacted, start, through, pruned }: Plan,
  cause: CompactionCause,
  env: CompactEnv,
  asking: { readonly ask: (instructions: string, input: string) => Promise<Answer>; readonly signal: AbortSignal },
): Promise<Compacted> {
  const { strategy, counter, zoning, maxTokens, askTokens, edit, size } = env;
  const { compaction, whole } = liveRange(state);
  let summary = compaction?.summary;
  if (compacted.length > 0) {
    const made = await strategy.compress({
      messages: compacted.map((message, offset) => zoning.seen(message, start + offset, start + offset >= whole)),
      start,
      ...defined({ earlier: summary }),
      maxTokens,
      askTokens,
      count: counter.text,
      ...asking,
    });
    if (typeof made !== 'string') fail('INVALID_CONFIG', `The strategy ${strategy.name} has made no text.`);
    summary = (edit === undefined ? made : await edit(made)).trim();
    if (summary === '') fail('LLM_API_ERROR', 'The summary is empty.');
  }
  asking.signal.throwIfAborted();
  const before = size(state);
  const event: Compacted = {
    type: 'context.compacted',
    compactionId: env.ports.id(),
    cause,
    strategy: compacted.length > 0 ? strategy.name : 'prune',
    ...defined({ through, pruned, summary }),
    tokens: { before: Math.round(before), after: 0 },
  };
  const after = size({ ...state, context: [...state.context, { ...event, seq: 0, at: 0, v: eventVersion }] });
  if (after >= before) fail('LLM_API_ERROR', 'The summary is no shorter than what it stands for.');
  return { ...event, tokens: { before: Math.round(before), after: Math.round(after) } };
}

interface Answer {
  readonly text: string;
  readonly finish: FinishReason;
  readonly usage?: Usage;
  readonly model?: string;
}

function toQuestion(sessionId: string, instructions: string, input: string, model: string | undefined): LLMRequest {
  const text = (said: string) => [{ type: 'text', text: said } as const];
  return {
    sessionId,
    messages: [
      { id: 'instructions', role: 'system', content: text(instructions), timestamp: 0 },
      { id: 'input', role: 'user', content: text(input), timestamp: 0 },
    ],
    ...defined({ model }),
  };
}

/** A whole answer, beside the session: none of it is an event. */
function answerTo(request: LLMRequest, { client, timeout, ports }: CompactEnv, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer: Answer = { text: '', finish: 'other' };
    const subscription = client.sendRequest(request).subscribe({
      next: (chunk) => {
        if (chunk.type === 'text') answer = { ...answer, text: answer.text + chunk.text };
        else if (chunk.type === 'usage') answer = { ...answer, usage: chunk.usage };
        else if (chunk.type === 'finish')
          answer = { ...answer, finish: chunk.reason, ...defined({ model: chunk.model }) };
      },
      error: reject,
      complete: () => resolve(answer),
    });
    const stop = (why: AgentError): void => {
      subscription.unsubscribe();
      reject(why);
    };
    const onAbort = (): void => stop(new AgentError('The compaction was stopped.', { code: 'ABORTED' }));
    const late = `The summary took longer than ${timeout} ms.`;
    signal.addEventListener('abort', onAbort);
    subscription.add(() => signal.removeEventListener('abort', onAbort));
    subscription.add(
      ports.delay(
        () => stop(new AgentError(late, { code: 'REQUEST_TIMEOUT', retryable: false, timeout: 'total' })),
        timeout,
      ),
    );
  });
}
