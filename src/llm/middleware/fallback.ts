import { named } from '../../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { AgentError, type AgentErrorCode, fail, toAgentError } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import { callable } from '../../core/model/shapes/shape.ts';
import { checkOptions } from '../transport/check-options.ts';
import type { LLMClient, LLMRequest } from '../../core/model/llm.ts';

/** Options of `withFallback`. */
export interface FallbackOptions {
  /** Whether the next client is tried after this error. Default: after every error except a filtered or too long conversation, an invalid attachment or output, locked keys, and a cancellation. */
  readonly when?: (error: AgentError) => boolean;
}

/** Errors that another client would or should repeat: a content filter must not be bypassed, a conversation that is too long must be compacted, and locked keys wait for a person. */
const final: ReadonlySet<AgentErrorCode> = new Set([
  'ABORTED',
  'AUTHENTICATION_LOCKED',
  'CONTENT_FILTERED',
  'CONTEXT_OVERFLOW',
  'INVALID_INPUT',
  'INVALID_OUTPUT',
]);

/**
 * Combines several clients into one: a request goes to the first, and to the next one if the first fails before any chunk of the answer.
 * A later client uses its own model and parameters: those of the request are meant for the first.
 *
 * An answer of a later client begins with a `provider` part named `brooklet.fallback`, whose data contains the client that answers
 * (`client`: its origin, or its position, counted from 1) and the reason (`instead`: the error before it). When all clients fail, the
 * request errors with the last failure, whose message contains the other messages too.
 *
 *     withFallback([withRetry(createChatCompletionsClient({ … })), createBuiltInClient()])
 *
 * @throws AgentError `INVALID_CONFIG` for an empty list, and where `when` is not a function
 */
export function withFallback(clients: readonly LLMClient[], options: FallbackOptions = {}): LLMClient {
  const { when = ({ code }: AgentError) => !final.has(code) } = named(options, { when: true }, 'withFallback');
  checkOptions({ when }, { when: callable }, 'withFallback');
  if (clients.length === 0) fail('INVALID_CONFIG', 'There is no client to send requests to: pass at least one.');
  const nameOf = (index: number): string => clients[index]?.origin ?? `client ${index + 1}`;

  return {
    // A locked key ends the request: no other client is tried.
    ...defined({ locked$: clients[0]?.locked$ }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        function send(index: number, earlier: readonly string[], instead?: AgentError): void {
          let begun = false;
          const answer$ = clients[index]?.sendRequest(index === 0 ? request : withoutParams(request));
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
              const failures = [...earlier, `${nameOf(index)}: ${error.message}`];
              if (!begun && index + 1 < clients.length && when(error)) return send(index + 1, failures, error);
              subscriber.error(
                earlier.length === 0
                  ? error
                  : new AgentError(`All clients failed. ${failures.join(' ')}`, { ...error }),
              );
            },
            complete: () => subscriber.complete(),
          });
          subscriber.add(subscription);
        }

        send(0, []);
      }),
  };
}

function withoutParams({ model: _model, providerParams: _params, ...request }: LLMRequest): LLMRequest {
  return request;
}
