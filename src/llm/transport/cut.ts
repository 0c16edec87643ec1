import type { AgentError } from '../../core/error.ts';
import type { Ports } from '../../core/ports.ts';

/** ms: longer than the time from a closed connection to `pagehide`, as measured in Chromium (5 ms). */
const pageLeaves = 100;

/** What receives an error. */
interface Listener {
  error(error: AgentError): void;
  /** Adds what ends the wait for the page. */
  add(cancel: () => void): void;
}

/**
 * Reports the error of a request. When a page is left, the browser closes its connections a few ms before `pagehide`, which ends the run
 * without an error: an error that may be such a cut waits for it.
 */
export function reportError(listener: Listener, error: AgentError, delay: Ports['delay']): void {
  if (!isCut(error)) return listener.error(error);
  listener.add(delay(() => listener.error(error), pageLeaves));
}

/** Whether the connection failed, and not the service: the page may be about to leave. */
function isCut({ code }: AgentError): boolean {
  return code === 'STREAM_INTERRUPTED' || code === 'NETWORK_ERROR' || code === 'OFFLINE';
}
