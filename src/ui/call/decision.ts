import type { ToolPart } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';

/** Returns the verdict of a person on a call; `undefined` where no person has decided. */
function verdictOf({ approval, editedInput }: ToolPart, { verdicts }: Labels['tool']): string | undefined {
  if (approval === undefined || approval.decidedBy !== 'user') return undefined;
  if (approval.verdict === 'rejected') return verdicts.rejected;
  if (approval.elicitation !== undefined) return verdicts.answered;
  return editedInput ? verdicts.changed : verdicts.approved;
}

/** Describes the decision of a person on a call, with the name that came with it; `undefined` where no person has decided. */
export function describeDecision(call: ToolPart, labels: Labels['tool']): string | undefined {
  const verdict = verdictOf(call, labels);
  const name = call.approval?.userName;
  return verdict === undefined || name === undefined ? verdict : labels.decidedBy(verdict, name);
}

/** Describes why a decision that was made here does not count. */
export function describeLoss(call: ToolPart, labels: Labels['tool']): string {
  const verdict = verdictOf(call, labels);
  const name = call.approval?.userName;
  return verdict === undefined || name === undefined ? labels.tooLate : labels.tooLateBy(verdict, name);
}
