import { defined } from '../json.ts';
import type { EventBody } from '../model/event.ts';
import type { ApprovalRule } from '../model/state.ts';
import type { StoreMeta } from '../model/store.ts';
import type { ToolPart } from '../model/message.ts';
import type { CheckedInput, CheckedTool } from './checked-tool.ts';
import { type FormatRejection, rejectionTextOf } from './rejection.ts';
import { createApprovalRules } from './approval-rules.ts';

export interface DecideEnv {
  /** ms since the epoch */
  readonly now: () => number;
  /** What a person has decided once for all calls in this session … */
  readonly approvalRules: readonly ApprovalRule[];
  /** … and, among other facts, in all sessions of the agent. */
  readonly meta: StoreMeta;
  readonly agentName: string;
  readonly formatRejection?: FormatRejection | undefined;
}

/** What becomes of a call that the model has asked for: invalid, held for a person, rejected for good, or let through. Never throws. */
export async function decide(call: ToolPart, tool: CheckedTool, env: DecideEnv): Promise<readonly EventBody[]> {
  const { callId, input, inputText } = call;
  const { version: toolVersion, approvalTimeout } = tool;
  if (input === undefined)
    return [invalid(callId, `Not run: the input is not a JSON object: ${inputText.slice(0, 200)}`)];
  const checked = await tool.check(input);
  if (checked.problem !== undefined)
    return [invalid(callId, `Not run: the input does not fit the schema: ${checked.problem}`)];

  const approved: EventBody = { type: 'approval.decided', callId, verdict: 'approved', decidedBy: 'policy' };
  const question = questionOf(checked);
  if (question === undefined && !(await checked.needsApproval())) return [approved];
  const expiresAt = approvalTimeout && env.now() + approvalTimeout;
  const held: EventBody = {
    type: 'approval.requested',
    callId,
    toolVersion,
    ...defined({ expiresAt, elicitation: question }),
  };
  const decision = question ? undefined : await findStanding(tool, env);
  if (decision === undefined) return [held];
  const { verdict, reason, userName } = decision;
  const why = { decidedBy: 'rule', ...defined({ reason, userName }) } as const;
  const decided = { type: 'approval.decided', callId, verdict, ...why } as const;
  return verdict === 'approved'
    ? [{ ...decided, toolVersion }]
    : [held, { ...decided, ...rejectionTextOf(env.formatRejection, call, why) }];
}

/** The session's own comes first. A store that cannot be read has none, so that the person is asked. */
async function findStanding(
  { name, version }: CheckedTool,
  { approvalRules, meta, agentName }: DecideEnv,
): Promise<ApprovalRule | undefined> {
  const fits = (one: ApprovalRule): boolean => one.name === name && one.toolVersion === version;
  const everywhere = async (): Promise<readonly ApprovalRule[]> =>
    createApprovalRules(meta, agentName)
      .list()
      .catch(() => []);
  return approvalRules.find(fits) ?? (await everywhere()).find(fits);
}

/** The call cannot run; the model reads why, and may do better. */
function invalid(callId: string, output: string): EventBody {
  return { type: 'call.ended', callId, outcome: 'invalid', output };
}

/** A question that cannot be made is asked openly: any answer will do. */
function questionOf({ elicitation }: CheckedInput): ReturnType<CheckedInput['elicitation']> {
  try {
    return elicitation();
  } catch {
    return {};
  }
}
