import { type ErrorListener, type ErrorSource, notifyError } from '../caught-error.ts';
import { AgentError, messageOf } from '../error.ts';

/**
 * Called with what a function of the page has thrown where the call continues without it.
 *
 * @param what names the function: "`present`"
 */
export type ReportThrown = (what: string, thrown: unknown) => void;

/** Returns a function that passes what a function of a tool throws to the listener, with its stack in `cause`. Never throws. */
export function createReport(listener: ErrorListener | undefined, toolName: string, source: ErrorSource): ReportThrown {
  return (what, thrown) => {
    if (listener === undefined) return;
    const message = `${what} of the tool "${toolName}" has thrown: ${messageOf(thrown)}`;
    notifyError(listener, new AgentError(message, { code: 'TOOL_FAILED', cause: thrown }), source);
  };
}
