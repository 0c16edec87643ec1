import type { Approval, ToolPart } from '../model/message.ts';

/** A rejection: whose it is, and why. */
export type Rejection = Readonly<Pick<Approval, 'reason' | 'userName'> & Required<Pick<Approval, 'decidedBy'>>>;

/** Puts in words what the model reads as the result of a rejected call. */
export type FormatRejection = (call: ToolPart, rejection: Rejection) => string;

/**
 * The page's own words for a rejection, as they are stored with it. Never throws: where the page has none to say, or fails to say
 * them, the usual ones stand.
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
