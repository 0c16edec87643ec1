import type { ToolPart } from '../model/message.ts';
import type { ReportThrown } from './report-thrown.ts';

/** Returns whether a person must approve a call: see `AgentOptions.needsApproval`. */
export type ApprovalPolicy = (call: ToolPart) => boolean | Promise<boolean>;

/** Whether a person must approve a call, whatever its tool says. Only `false` means no: a function without a result asks. Never rejects. */
export async function mustAsk(
  needsApproval: ApprovalPolicy | undefined,
  call: ToolPart,
  report: ReportThrown,
): Promise<boolean> {
  if (needsApproval === undefined) return false;
  try {
    const answer: unknown = await needsApproval(structuredClone(call));
    return answer !== false;
  } catch (error) {
    report('`needsApproval` of the agent, for a call', error);
    return true;
  }
}
