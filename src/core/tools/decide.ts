import { endFor } from './end-reasons.ts';
import { type ApprovalPolicy, mustAsk } from './approval-policy.ts';
import { type ErrorListener, notifyError } from '../caught-error.ts';
import { toAgentError } from '../error.ts';
import { defined } from '../json.ts';
import type { EventBody } from '../model/event.ts';
import type { Log } from '../log/log.ts';
import type { ApprovalRule } from '../model/state.ts';
import { lastReplyOf } from '../model/status.ts';
import type { Ports } from '../ports.ts';
import type { StoreMeta } from '../model/store.ts';
import type { ToolPart } from '../model/message.ts';
import { createReport } from './report-thrown.ts';
import type { CheckedTool } from './tool-types.ts';
import { type FormatRejection, rejectionTextOf } from './rejection.ts';
import { createApprovalRules } from './approval-rules.ts';

export interface DecideEnv {
  readonly ports: Pick<Ports, 'now'>;
  /** Has what came before the call, the reply with the call and the approval rules of this session. */
  readonly log: Pick<Log, 'getState' | 'peek'>;
  /** Contains the approval rules of the agent. */
  readonly meta: StoreMeta;
  readonly agentName: string;
  /** Asks for calls of all tools. */
  readonly needsApproval?: ApprovalPolicy | undefined;
  readonly formatRejection?: FormatRejection | undefined;
  readonly sessionId: string;
  /** Receives what the functions of the page throw: the person is asked then. */
  readonly onError?: ErrorListener | undefined;
}

/** Returns the events that decide a requested call: invalid, awaiting approval, rejected by a rule, or approved. Never rejects. */
export async function decide(call: ToolPart, tool: CheckedTool, env: DecideEnv): Promise<readonly EventBody[]> {
  const { callId, input, inputText } = call;
  const { version: toolVersion, approvalTimeout } = tool;
  // Only calls of the last reply are decided.
  const finish = lastReplyOf(env.log.peek())?.finish;
  if (input === undefined)
    return [endFor(callId, { reason: finish === 'length' ? 'cut-off' : 'no-object', inputText })];
  const report = createReport(env.onError, call.name, { sessionId: env.sessionId, callId });
  const checked = await tool.check(input, report);
  if (checked.problem !== undefined)
    return [endFor(callId, { reason: 'schema', problem: checked.problem, isStarted: false })];

  const approved: EventBody = { type: 'approval.decided', callId, verdict: 'approved', decidedBy: 'policy' };
  const elicitation = checked.elicitation();
  const cause = finish === 'unknown' ? 'unknown-finish' : undefined;
  const asks = async (): Promise<boolean> =>
    (await mustAsk(env.needsApproval, call, report)) || (await checked.needsApproval());
  if (elicitation === undefined && cause === undefined && !(await asks())) return [approved];
  const expiresAt = approvalTimeout && env.ports.now() + approvalTimeout;
  const requested: EventBody = {
    type: 'approval.requested',
    callId,
    toolVersion,
    ...defined({ expiresAt, elicitation, cause }),
  };
  const rule = elicitation ? undefined : await findRule(tool, env, callId);
  // A rule approves complete calls only.
  if (rule === undefined || (cause && rule.verdict === 'approved')) return [requested];
  const { verdict, reason, userName } = rule;
  const basis = { decidedBy: 'rule', ...defined({ reason, userName }) } as const;
  const decided = { type: 'approval.decided', callId, verdict, ...basis } as const;
  return verdict === 'approved'
    ? [{ ...decided, toolVersion }]
    : [requested, { ...decided, ...rejectionTextOf(env, call, basis) }];
}

/** Returns the rule for a tool; a rule of the session comes first. A store that cannot be read has no rules: the user is asked. */
async function findRule(
  { name, version }: CheckedTool,
  { log, meta, agentName, onError, sessionId }: DecideEnv,
  callId: string,
): Promise<ApprovalRule | undefined> {
  const fits = (one: ApprovalRule): boolean => one.name === name && one.toolVersion === version;
  const ofAgent = async (): Promise<readonly ApprovalRule[]> =>
    createApprovalRules(meta, agentName)
      .list()
      .catch((thrown: unknown) => {
        notifyError(onError, toAgentError(thrown, 'STORAGE_FAILED'), { sessionId, callId });
        return [];
      });
  return log.peek().approvalRules.find(fits) ?? (await ofAgent()).find(fits);
}
