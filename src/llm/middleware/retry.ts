import { Observable } from 'rxjs';
import { AgentError, toAgentError } from '../../core/error.ts';
import { createEmitter } from '../../core/emitter.ts';
import { defined } from '../../core/json.ts';
import { current as currentOf } from '../../core/log/current.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import type { LLMClient } from '../../core/model/llm.ts';

/** A request that failed and is asked again: "retrying in 3 s (2 of 4)". */
export interface Retry {
  readonly sessionId: string;
  /** The one to come, the first being 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** From the failure to the attempt. */
  readonly ms: number;
  readonly error: AgentError;
}

/** Options of `withRetry`. */
export interface RetryOptions {
  /** Attempts after the first. Default 3. */
  readonly retries?: number;
  /** ms before the second attempt, doubled for each one after it, up to a fifth of it more or less by chance. Default 1,000. */
  readonly firstDelay?: number;
  /** ms. A service that asks to wait longer than this is not asked again. Default 30,000. */
  readonly maxDelay?: number;
  /** Told before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Stands in for timers: see `Ports.delay`. */
  readonly delay?: Ports['delay'];
  /** Stands in for `Math.random`. */
  readonly random?: () => number;
}

/** A client that retries failed requests and reports each retry. */
export interface RetryingClient extends LLMClient {
  /**
   * What is asked again now, by session: from the failure until something of the answer comes, or the run is stopped or fails.
   * Passing news for the page, in no event and no store.
   *
   *     const retry = useObservable(client.retries$, client.getRetries).get(sessionId);
   */
  readonly retries$: Observable<ReadonlyMap<string, Retry>>;
  readonly getRetries: () => ReadonlyMap<string, Retry>;
}

/**
 * Wraps a client so that it asks again after a failure that may pass, as long as nothing of the answer has come: what was shown would
 * come twice. When the attempts are used up it errors with the last failure. Unsubscribing (`session.cancel()`) ends the waiting too.
 */
export function withRetry(client: LLMClient, options: RetryOptions = {}): RetryingClient {
  const {
    retries = 3,
    firstDelay = 1_000,
    maxDelay = 30_000,
    onRetry,
    delay = browserPorts.delay,
    random = Math.random,
  } = options;
  const changes = createEmitter<void>();
  let current: ReadonlyMap<string, Retry> = new Map();

  function show(sessionId: string, retry?: Retry): void {
    if (retry === undefined && !current.has(sessionId)) return;
    const others = [...current].filter(([id]) => id !== sessionId);
    current = new Map(retry ? [...others, [sessionId, retry]] : others);
    changes.next();
  }

  return {
    ...defined({ origin: client.origin }),
    retries$: currentOf(changes.stream$, () => current),
    getRetries: () => current,
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const { sessionId } = request;
        let cancel = (): void => {};

        function ask(attempt: number): void {
          let begun = false;
          const subscription = client.sendRequest(request).subscribe({
            next(chunk) {
              if (!begun) show(sessionId);
              begun = true;
              subscriber.next(chunk);
            },
            error(thrown) {
              const error = toAgentError(thrown);
              const ms =
                error.retryAfter ?? Math.min(maxDelay, firstDelay * 2 ** (attempt - 1) * (0.8 + 0.4 * random()));
              if (begun || !error.retryable || attempt > retries || ms > maxDelay) return subscriber.error(error);
              const retry = { sessionId, attempt: attempt + 1, attempts: retries + 1, ms, error };
              onRetry?.(retry);
              if (subscriber.closed) return;
              show(sessionId, retry);
              cancel = delay(() => ask(attempt + 1), ms);
            },
            complete: () => subscriber.complete(),
          });
          subscriber.add(subscription);
        }

        ask(1);
        return () => {
          cancel();
          show(sessionId);
        };
      }),
  };
}

/**
 * Wraps a client so that a whole answer may take `ms` at most, then errors with `REQUEST_TIMEOUT`. For silence, which is something else,
 * the clients have time-outs of their own.
 */
export function withTimeout(client: LLMClient, ms: number, delay: Ports['delay'] = browserPorts.delay): LLMClient {
  return {
    ...defined({ origin: client.origin }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const message = `The answer took longer than ${ms} ms. Try again, or allow it more time.`;
        const cancel = delay(
          () =>
            subscriber.error(new AgentError(message, { code: 'REQUEST_TIMEOUT', retryable: false, timeout: 'total' })),
          ms,
        );
        subscriber.add(cancel);
        subscriber.add(client.sendRequest(request).subscribe(subscriber));
      }),
  };
}
