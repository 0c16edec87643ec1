import type { Approval, ToolPart } from '../model/message.ts';

/** A rejection: who decided, and the reason. */
export type Rejection = Readonly<Pick<Approval, 'reason' | 'userName'> & Required<Pick<Approval, 'decidedBy'>>>;

/** Returns the text that the model reads as the result of a rejected call. */
export type FormatRejection = (call: ToolPart, rejection: Rejection) => string;

/**
 * Returns the page's own text for a rejection, which is stored with the decision. Never throws: when `format` is missing, throws or returns
 * an empty text, the model reads the default text.
 */
export function rejectionTextOf(
  format: FormatRejection | undefined,
  call: ToolPart,
  rejection: Rejection,
): Pick<Approval, 'rejectionText'> {
  try {
    const rejectionText: unknown = format?.(call, rejection);
    return typeof rejectionText === 'string' && rejectionText.trim() !== '' ? { rejectionText } : {};
  } catch {
    return {};
  }
}
