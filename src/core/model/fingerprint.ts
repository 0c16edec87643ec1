import { hash } from './hash.ts';
import type { ToolPart } from './message.ts';

/**
 * Stands for a call as it is shown. A decision that carries it is refused where the call is not, or not any more, what the person saw.
 */
export function fingerprintOf({ callId, name, inputText, approval }: ToolPart): string {
  return hash(JSON.stringify([callId, name, inputText, approval?.toolVersion, approval?.elicitation]));
}
