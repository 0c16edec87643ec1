import { Observable } from 'rxjs';
import { type AgentError, toAgentError } from '../../core/error.ts';
import type { LLMChunk, LLMRequest } from '../../core/model/llm.ts';
import { browserPorts, type Ports, type WhenOnline, whenOnline } from '../../core/ports.ts';
import { noteRetry, type Retry } from '../../core/retries.ts';

/** How often and when a failed request is sent again. */
export interface Attempts {
  /** Attempts after the first. */
  readonly retries: number;
  /** ms before the second attempt, doubled for each later one, each randomized by up to 20 % in either direction. */
  readonly firstDelay: number;
  /** ms. No attempt follows if the service asks for a longer delay. */
  readonly maxDelay: number;
  /** Whether the request may be sent again after this error. */
  readonly mayRepeat: (error: AgentError) => boolean;
  /** Called before each delay. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Called with each pending retry, and without one when the retry has ended. */
  readonly note?: (sessionId: string, retry?: Retry) => void;
  readonly delay?: Ports['delay'] | undefined;
  readonly random?: (() => number) | undefined;
  readonly online?: WhenOnline | undefined;
}

/** ms that a request waits at most for the network. */
const longestOffline = 300_000;

/** Marks a request that an outer client sends again after a failure: an inner client then sends it once. Copies of the request keep the mark. */
const isRepeated = Symbol('brooklet.isRepeated');

/**
 * Sends a request, and sends it again after a failure before the first chunk of the answer: later the same part would be shown twice.
 * After the last attempt the request errors with the last failure. Without a network the next attempt waits for the network instead of a
 * delay. Unsubscribing ends a delay too.
 *
 * Invariant: attempts do not multiply. Where a wrapper of this client sends the request again, this client sends it once.
 */
export function sendRepeatedly(
  request: LLMRequest,
  send: (request: LLMRequest) => Observable<LLMChunk>,
  attempts: Attempts,
): Observable<LLMChunk> {
  if (attempts.retries === 0 || Object.hasOwn(request, isRepeated)) return send(request);
  const { retries, firstDelay, maxDelay, mayRepeat, onRetry, note } = attempts;
  const { delay = browserPorts.delay, random = Math.random, online = whenOnline() } = attempts;
  const { sessionId } = request;
  const marked: LLMRequest = Object.assign({}, request, { [isRepeated]: true });

  return new Observable((subscriber) => {
    let stopWaiting = (): void => {};
    let forget = (): void => {};

    function settle(): void {
      forget();
      forget = () => {};
      note?.(sessionId);
    }

    /** Returns the pending attempt after a failure; `undefined` where none follows. */
    function next(attempt: number, error: AgentError): Retry | undefined {
      if (attempt > retries || !mayRepeat(error)) return undefined;
      const common = { sessionId, attempt: attempt + 1, attempts: retries + 1, error };
      if (error.code === 'OFFLINE' && online) return { ...common, ms: longestOffline, until: 'online' };
      const ms = error.retryAfter ?? Math.min(maxDelay, firstDelay * 2 ** (attempt - 1) * (0.8 + 0.4 * random()));
      return ms > maxDelay ? undefined : { ...common, ms };
    }

    function wait({ attempt, ms, until, error }: Retry): void {
      const stops: (() => void)[] = [];
      let waits = true;
      stopWaiting = () => {
        waits = false;
        for (const stop of stops) stop();
      };
      /** Ends the wait, once. */
      const ending = (then: () => void) => (): void => {
        if (!waits) return;
        stopWaiting();
        then();
      };
      const again = ending(() => sendOnce(attempt));
      stops.push(delay(until === undefined ? again : ending(() => subscriber.error(error)), ms));
      if (until !== undefined && waits && online) stops.push(online(again));
    }

    function sendOnce(attempt: number): void {
      let begun = false;
      stopWaiting = () => {};
      subscriber.add(
        send(marked).subscribe({
          next(chunk) {
            if (!begun) settle();
            begun = true;
            subscriber.next(chunk);
          },
          error(thrown) {
            const error = toAgentError(thrown);
            const retry = begun ? undefined : next(attempt, error);
            if (retry === undefined) return subscriber.error(error);
            tell(onRetry, retry);
            if (subscriber.closed) return;
            forget();
            forget = noteRetry(retry);
            note?.(sessionId, retry);
            // The listener of the page may have cancelled.
            if (subscriber.closed) settle();
            else wait(retry);
          },
          complete: () => subscriber.complete(),
        }),
      );
    }

    sendOnce(1);
    return () => {
      stopWaiting();
      settle();
    };
  });
}

/** Calls the listener. An error that it throws is reported as an uncaught one and changes nothing. */
function tell(onRetry: Attempts['onRetry'], retry: Retry): void {
  try {
    onRetry?.(retry);
  } catch (thrown) {
    globalThis.reportError?.(thrown);
  }
}
