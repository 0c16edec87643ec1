import type { AgentError } from './error.ts';

/** Where an error was caught: in a run, or in a call of a tool. */
export interface ErrorSource {
  readonly sessionId: string;
  readonly runId?: string;
  readonly callId?: string;
}

/** Called with every error that a run catches: the error that ends the run, and the error of a tool, of which the log has the message only. */
export type ErrorListener = (error: AgentError, source: ErrorSource) => void;

/** Notifies the listener. An error that the listener itself throws is reported as an uncaught one and changes nothing. */
export function notifyError(listener: ErrorListener | undefined, error: AgentError, source: ErrorSource): void {
  try {
    listener?.(error, source);
  } catch (thrown) {
    globalThis.reportError?.(thrown);
  }
}
