import { named } from '../../core/model/shapes/named.ts';
import { Observable, Subject } from 'rxjs';
import { AgentError } from '../../core/error.ts';
import { traitsOf } from '../../core/client-traits.ts';
import { current as currentOf } from '../../core/log/current.ts';
import { callable, maybe, range } from '../../core/model/shapes/shape.ts';
import { checkOptions } from '../transport/check-options.ts';
import { browserPorts, type Ports, type WhenOnline } from '../../core/ports.ts';
import type { Retry } from '../../core/retries.ts';
import { sendRepeatedly } from '../transport/send-repeatedly.ts';
import type { LLMClient } from '../../core/model/llm.ts';

export type { Retry } from '../../core/retries.ts';

/** Options of `withRetry`. */
export interface RetryOptions {
  /** Attempts after the first. Default 3. */
  readonly retries?: number;
  /** ms before the second attempt, doubled for each later one, each randomized by up to 20 % in either direction. Default 1,000. */
  readonly firstDelay?: number;
  /** ms. No attempt follows if the service asks for a longer delay. Default 30,000. */
  readonly maxDelay?: number;
  /** Called before each delay. */
  readonly onRetry?: (retry: Retry) => void;
  /** Replaces timers: see `Ports.delay`. */
  readonly delay?: Ports['delay'];
  /** Replaces `Math.random`. */
  readonly random?: () => number;
  /** Calls back once, as soon as there is a network; returns a function that cancels. Default: by the event `online` of the window. */
  readonly online?: WhenOnline;
}

const retryOptions = {
  retries: maybe(range(0, Infinity)),
  firstDelay: maybe(range(0)),
  maxDelay: maybe(range(0, Infinity)),
  onRetry: maybe(callable),
  delay: maybe(callable),
  random: maybe(callable),
  online: maybe(callable),
};

/** A client that retries failed requests and reports each retry. */
export interface RetryingClient extends LLMClient {
  /**
   * The pending retries, by session: from the failure until the first chunk of the answer, or until the run is cancelled or fails.
   * Transient state for the page: no event contains it, no store keeps it.
   *
   *     const retry = useObservable(client.retries$, client.getRetries).get(sessionId);
   */
  readonly retries$: Observable<ReadonlyMap<string, Retry>>;
  readonly getRetries: () => ReadonlyMap<string, Retry>;
}

/**
 * Wraps a client so that a request is sent again after a retryable failure, as long as no chunk of the answer has arrived: otherwise the
 * same part would be shown twice. After the last attempt the request errors with the last failure. Without a network the next attempt
 * waits for the network, 5 minutes at most. Unsubscribing (`session.cancel()`) ends a delay too.
 *
 * The clients of this package send a request three times by themselves (`maxRetries`). This wrapper replaces that, also around other
 * wrappers: attempts do not multiply.
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range
 */
export function withRetry(client: LLMClient, options: RetryOptions = {}): RetryingClient {
  named(options, retryOptions, 'withRetry');
  checkOptions(options, retryOptions, 'withRetry');
  const { retries = 3, firstDelay = 1_000, maxDelay = 30_000, ...ports } = options;
  const changes = new Subject<void>();
  let current: ReadonlyMap<string, Retry> = new Map();

  /** Sets or clears the pending retry of a session, and notifies. */
  function note(sessionId: string, retry?: Retry): void {
    if (retry === undefined && !current.has(sessionId)) return;
    const others = [...current].filter(([id]) => id !== sessionId);
    current = new Map(retry ? [...others, [sessionId, retry]] : others);
    changes.next();
  }

  const attempts = {
    ...ports,
    retries,
    firstDelay,
    maxDelay,
    note,
    mayRepeat: ({ retryable }: AgentError) => retryable,
  };
  return {
    ...traitsOf(client),
    retries$: currentOf(changes, () => current),
    getRetries: () => current,
    sendRequest: (request) => sendRepeatedly(request, (marked) => client.sendRequest(marked), attempts),
  };
}

/**
 * Wraps a client so that a whole answer takes at most `ms`; a longer one errors with `REQUEST_TIMEOUT`. The clients have timeouts of their
 * own for silence.
 *
 * @throws AgentError `INVALID_CONFIG` where `ms` is not a number from 1 on
 */
export function withTimeout(client: LLMClient, ms: number, delay: Ports['delay'] = browserPorts.delay): LLMClient {
  checkOptions({ ms }, { ms: range(1, Infinity) }, 'withTimeout');
  return {
    ...traitsOf(client),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const message = `The answer took longer than ${ms} ms.`;
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
