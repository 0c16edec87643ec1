import type { ErrorListener } from '../caught-error.ts';
import type { Approval, ToolPart } from '../model/message.ts';
import { createReport } from './report-thrown.ts';

/** A rejection: who decided, and the reason. */
export type Rejection = Readonly<Pick<Approval, 'reason' | 'userName'> & Required<Pick<Approval, 'decidedBy'>>>;

/** Returns the text that the model reads as the result of a rejected call. */
export type FormatRejection = (call: ToolPart, rejection: Rejection) => string;

interface RejectionEnv {
  readonly formatRejection?: FormatRejection | undefined;
  readonly sessionId: string;
  /** Receives what `formatRejection` throws. */
  readonly onError?: ErrorListener | undefined;
}

/**
 * Returns the page's own text for a rejection, which is stored with the decision. Never throws: when `formatRejection` is missing, throws or
 * returns an empty text, the model reads the default text.
 */
export function rejectionTextOf(
  { formatRejection, onError, sessionId }: RejectionEnv,
  call: ToolPart,
  rejection: Rejection,
): Pick<Approval, 'rejectionText'> {
  try {
    // A copy: the call is that of the log.
    const rejectionText: unknown = formatRejection?.(structuredClone(call), rejection);
    return typeof rejectionText === 'string' && rejectionText.trim() !== '' ? { rejectionText } : {};
  } catch (thrown) {
    createReport(onError, call.name, { sessionId, callId: call.callId })('`formatRejection` for a call', thrown);
    return {};
  }
}
