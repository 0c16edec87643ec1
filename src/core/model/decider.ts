import type { ToolPart } from './message.ts';

/** Who decided on a call: a person then and there, a standing decision of theirs, time, or nobody, for its tool asks for no approval. */
export type Decider = 'person' | 'standing' | 'expiry' | 'nobody';

/** Who decided on the call, as the log has it; `undefined` as long as nobody has. */
export function deciderOf({ approval }: ToolPart): Decider | undefined {
  if (approval?.verdict === undefined) return undefined;
  if (approval.by === 'person') return 'person';
  if (approval.verdict === 'expired') return 'expiry';
  // Only a decision that stands is bound to a version of its tool.
  return approval.binding === undefined ? 'nobody' : 'standing';
}
