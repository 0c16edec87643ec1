import { Observable } from 'rxjs';
import { sendChecked } from '../client-door.ts';
import { AgentError, fail, toAgentError, toErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { LLMClient, LLMRequest } from '../model/llm.ts';
import type { CompactionCause } from '../model/context-event.ts';
import { type EventBody, eventVersion } from '../model/event.ts';
import { addUsage } from '../model/usage.ts';
import type { SessionState } from '../model/state.ts';
import type { FinishReason, Usage } from '../model/message.ts';
import type { Ports } from '../ports.ts';
import type { Counter } from './count.ts';
import { liveRange } from './compaction-history.ts';
import type { Plan } from './plan.ts';
import type { CompactionStrategy } from './strategy.ts';
import type { Zoning } from './zones.ts';

export interface CompactEnv {
  readonly client: LLMClient;
  readonly model?: string | undefined;
  readonly strategy: CompactionStrategy;
  readonly edit?: ((summary: string) => string | Promise<string>) | undefined;
  /** ms that one summary request may take. */
  readonly timeout: number;
  readonly counter: Counter;
  readonly zoning: Zoning;
  /** Returns the tokens of a state's next request, calibrated. */
  readonly size: (state: SessionState) => number;
  /** Maximum tokens of a summary, and of a summary request. */
  readonly maxTokens: number;
  readonly askTokens: number;
  readonly ports: Pick<Ports, 'id' | 'delay'>;
}

type Compacted = Extract<EventBody, { readonly type: 'context.compacted' }>;

/**
 * Carries out a plan and emits one event: `context.compacted`, or `context.compaction-failed` with the reason, which leaves the
 * conversation unchanged. Never errors. Unsubscribing aborts the summary request.
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
      const answer = await requestSummary(
        toSummaryRequest(state.id, instructions, input, env.model),
        env,
        controller.signal,
      );
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
          error: toErrorInfo(toAgentError(thrown, 'COMPACTION_FAILED')),
          ...defined({ usage, model }),
        }),
      )
      .then((event) => {
        subscriber.next(event);
        subscriber.complete();
      })
      // rxjs reports an error that a subscriber throws.
      .catch(() => {});
    return () => controller.abort();
  });
}

async function attempt(
  state: SessionState,
  { compacted, start, through, pruned }: Plan,
  cause: CompactionCause,
  env: CompactEnv,
  requester: { readonly ask: (instructions: string, input: string) => Promise<Answer>; readonly signal: AbortSignal },
): Promise<Compacted> {
  const { strategy, counter, zoning, maxTokens, askTokens, edit, size } = env;
  const { compaction, whole } = liveRange(state);
  let summary = compaction?.summary;
  if (compacted.length > 0) {
    const text = await strategy.compress({
      messages: compacted.map((message, offset) => zoning.seen(message, start + offset, start + offset >= whole)),
      start,
      ...defined({ earlier: summary }),
      maxTokens,
      askTokens,
      count: counter.text,
      ...requester,
    });
    if (typeof text !== 'string')
      fail(
        'INVALID_CONFIG',
        `The compaction strategy ${strategy.name} returned no text: \`compress\` must return a string.`,
      );
    summary = (edit === undefined ? text : await edit(text)).trim();
    if (summary === '') fail('COMPACTION_FAILED', 'The summary is empty.');
  }
  requester.signal.throwIfAborted();
  const before = await exactly(() => size(state), counter);
  const event: Compacted = {
    type: 'context.compacted',
    compactionId: env.ports.id(),
    cause,
    strategy: compacted.length > 0 ? strategy.name : 'prune',
    ...defined({ through, pruned, summary }),
    tokens: { before: Math.round(before), after: 0 },
  };
  const next: SessionState = { ...state, context: [...state.context, { ...event, seq: 0, at: 0, v: eventVersion }] };
  const after = await exactly(() => size(next), counter);
  if (after >= before) fail('COMPACTION_FAILED', 'The summary is no shorter than the messages that it replaces.');
  return { ...event, tokens: { before: Math.round(before), after: Math.round(after) } };
}

/** Returns a size once all that it consists of is counted exactly. */
async function exactly(measure: () => number, { counting }: Counter): Promise<number> {
  let size = measure();
  for (let under = counting(); under !== undefined; under = counting()) {
    await under;
    size = measure();
  }
  return size;
}

interface Answer {
  readonly text: string;
  readonly finish: FinishReason;
  readonly usage?: Usage;
  readonly model?: string;
}

function toSummaryRequest(
  sessionId: string,
  instructions: string,
  input: string,
  model: string | undefined,
): LLMRequest {
  const toContent = (value: string) => [{ type: 'text', text: value } as const];
  return {
    sessionId,
    messages: [
      { id: 'instructions', role: 'system', content: toContent(instructions), timestamp: 0 },
      { id: 'input', role: 'user', content: toContent(input), timestamp: 0 },
    ],
    ...defined({ model }),
  };
}

/** Requests a summary and resolves with the whole answer. The exchange adds no event to the session. */
function requestSummary(
  request: LLMRequest,
  { client, timeout, ports }: CompactEnv,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer: Answer = { text: '', finish: 'other' };
    const subscription = sendChecked(client, request).subscribe({
      next: (chunk) => {
        if (chunk.type === 'text') answer = { ...answer, text: answer.text + chunk.text };
        else if (chunk.type === 'usage') answer = { ...answer, usage: chunk.usage };
        else if (chunk.type === 'finish')
          answer = { ...answer, finish: chunk.reason, ...defined({ model: chunk.model }) };
      },
      error: reject,
      complete: () => resolve(answer),
    });
    const stop = (reason: AgentError): void => {
      subscription.unsubscribe();
      reject(reason);
    };
    const onAbort = (): void => stop(new AgentError('The compaction was cancelled.', { code: 'ABORTED' }));
    const timeoutMessage = `The summary took longer than ${timeout} ms: raise \`summaryTimeout\` or use a faster model.`;
    signal.addEventListener('abort', onAbort);
    subscription.add(() => signal.removeEventListener('abort', onAbort));
    subscription.add(
      ports.delay(
        () => stop(new AgentError(timeoutMessage, { code: 'REQUEST_TIMEOUT', retryable: false, timeout: 'total' })),
        timeout,
      ),
    );
  });
}
