import { Observable } from 'rxjs';
import { AgentError, type AgentErrorCode, fail, toAgentError } from '../../core/error.ts';
import type { LLMClient, LLMRequest } from '../../core/model/llm.ts';

/** Options of `withFallback`. */
export interface FallbackOptions {
  /** Whether the next one may do better. Default: for every error but a refused or too long conversation, a broken attachment, a stop. */
  readonly when?: (error: AgentError) => boolean;
}

/** They would say the same, or should: a filter is not to be gone around, and what is too long is to be compacted. */
const final: ReadonlySet<AgentErrorCode> = new Set([
  'ABORTED',
  'CONTENT_FILTERED',
  'CONTEXT_OVERFLOW',
  'INVALID_INPUT',
  'INVALID_OUTPUT',
]);

/**
 * One client out of several: asks the first, and the next one if that fails before anything of the answer has come. Whoever stands in
 * uses its own model and parameters: the request's are made for the first.
 *
 * An answer that is not from the first begins with a `provider` part named `brooklet.fallback`, whose data says who answers (`client`: its
 * origin, or its place, counted from 1) and why (`instead`: the error before it). When all fail it errors with the last failure, whose
 * message tells of the others too.
 *
 *     withFallback([withRetry(createChatCompletionsClient({ … })), createBuiltInClient()])
 */
export function withFallback(
  clients: readonly LLMClient[],
  { when = ({ code }) => !final.has(code) }: FallbackOptions = {},
): LLMClient {
  if (clients.length === 0) fail('INVALID_CONFIG', 'There is no client to fall back to: name one at least.');
  const nameOf = (index: number): string => clients[index]?.origin ?? `client ${index + 1}`;

  return {
    sendRequest: (request) =>
      new Observable((subscriber) => {
        function ask(index: number, earlier: readonly string[], instead?: AgentError): void {
          let begun = false;
          const answer$ = clients[index]?.sendRequest(index === 0 ? request : withoutOwn(request));
          const subscription = answer$?.subscribe({
            next(chunk) {
              if (!begun && instead) {
                const data = { client: nameOf(index), instead: { code: instead.code, message: instead.message } };
                subscriber.next({ type: 'part', part: { type: 'provider', name: 'brooklet.fallback', data } });
              }
              begun = true;
              subscriber.next(chunk);
            },
            error(thrown) {
              const error = toAgentError(thrown);
              const told = [...earlier, `${nameOf(index)}: ${error.message}`];
              if (!begun && index + 1 < clients.length && when(error)) return ask(index + 1, told, error);
              subscriber.error(
                earlier.length === 0 ? error : new AgentError(`None could answer. ${told.join(' ')}`, { ...error }),
              );
            },
            complete: () => subscriber.complete(),
          });
          subscriber.add(subscription);
        }

        ask(0, []);
      }),
  };
}

function withoutOwn({ model: _model, providerParams: _params, ...request }: LLMRequest): LLMRequest {
  return request;
}
