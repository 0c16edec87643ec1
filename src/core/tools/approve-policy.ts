import type { ToolPart } from '../model/message.ts';
import type { ReportThrown } from './report-thrown.ts';

/** Returns whether a person must approve a call: see `AgentOptions.approve`. */
export type ApprovePolicy = (call: ToolPart) => boolean | 'ask' | Promise<boolean | 'ask'>;

/** Whether a person must approve a call, whatever its tool says. Only `false` asks nobody: a function without a result asks. Never rejects. */
export async function mustAsk(
  approve: ApprovePolicy | undefined,
  call: ToolPart,
  report: ReportThrown,
): Promise<boolean> {
  if (approve === undefined) return false;
  try {
    return (await approve(structuredClone(call))) !== false;
  } catch (error) {
    report('`approve` of the agent, for a call', error);
    return true;
  }
}
