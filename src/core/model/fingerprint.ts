import { hash } from './hash.ts';
import type { ToolPart } from './message.ts';

/**
 * Returns a hash of a call as it is shown. A decision with this fingerprint is rejected when the call is not, or no longer, the one
 * that the user saw.
 */
export function fingerprintOf({ callId, name, inputText, approval }: ToolPart): string {
  return hash(JSON.stringify([callId, name, inputText, approval?.toolVersion, approval?.elicitation]));
}
