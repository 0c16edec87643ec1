import type { ToolPart } from './message.ts';

/**
 * Returns a text that states a call as it is shown: the same for two calls only if the same is shown. As long as the input and the question
 * of the call: to compare, not to show. A decision with this fingerprint is rejected when the call is not, or no longer, the one that the
 * user saw.
 */
export function fingerprintOf({ callId, name, inputText, approval }: ToolPart): string {
  // No hash: a server that asks a question could write two questions with the same short hash.
  return JSON.stringify([callId, name, inputText, approval?.toolVersion, approval?.elicitation]);
}
