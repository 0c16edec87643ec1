import type { AgentError } from '../../core/error.ts';
import type { ExchangeOptions } from './exchange.ts';
import type { Attempts } from './send-repeatedly.ts';

/** Statuses of the client's side that do not mean "never". 498: Groq's flexible tier has no capacity. */
const temporary: ReadonlySet<number> = new Set([408, 409, 425, 429, 498]);

/**
 * Whether a client repeats a request after this error by itself: a lost connection, a service that is overloaded or failed, a limit of
 * requests. Not after a 4xx that means "never", and not after a timeout of the client's own, which is long already.
 */
function isTemporary({ retryable, status, timeout }: AgentError): boolean {
  return retryable && timeout === undefined && (status === undefined || status >= 500 || temporary.has(status));
}

/** Returns how often a client over a network sends a request by default. */
export function defaultAttempts(
  { maxRetries = 2, onRetry, delay }: ExchangeOptions,
  mayRepeat: Attempts['mayRepeat'] = isTemporary,
): Attempts {
  return { retries: maxRetries, firstDelay: 500, maxDelay: 30_000, mayRepeat, onRetry, delay };
}
