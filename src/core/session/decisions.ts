import { type AgentError, fail, toAgentError } from '../error.ts';
import { defined, type Json, type JsonObject } from '../json.ts';
import { findCall } from '../model/find-call.ts';
import { when } from '../log/current.ts';
import type { EventBody } from '../model/event.ts';
import { openRun } from '../model/state.ts';
import { expiryOf } from '../model/between-runs.ts';
import { statusOf } from '../model/status.ts';
import type { Proposal, ToolPart } from '../model/message.ts';
import type { DecisionInput } from './read-arguments.ts';
import type { DecisionOptions } from './session.ts';
import { rejectionTextOf } from '../tools/rejection.ts';
import { createApprovalRules } from '../tools/approval-rules.ts';
import { engine, type Tool } from '../tools/tool.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import { createProposals } from './proposals.ts';
import type { Runs } from './runs.ts';
import type { Guard } from './guard.ts';
import type { SessionEnv } from './session-env.ts';

/**
 * Decisions on calls that await approval: by a person, or by the timeout. Each resolves when the decision is stored. The arguments are copies
 * that were checked within the call of the verb: see `read-arguments.ts`.
 *
 * @throws the error of the store when the decision cannot be stored: the call still awaits approval
 * @throws AgentError `CALL_NOT_FOUND`, `CALL_NOT_PENDING`, `DECISION_STALE` if the call has changed since it was shown,
 *   `INVALID_INPUT` if input or answer do not match the schema, and the errors of `Guard`
 */
export interface Decisions {
  approve(callId: string, decision: DecisionInput): Promise<void>;
  reject(callId: string, decision: DecisionInput): Promise<void>;
  answer(callId: string, answer: Json, decision: DecisionInput): Promise<void>;
  /** @param isLate see `Overdue` */
  expire(callId: string, isLate: boolean): Promise<void>;
}

type Decided = Extract<EventBody, { readonly type: 'approval.decided' }>;
type Decision = Omit<Decided, 'type' | 'callId' | 'decidedBy'>;

interface DecideOptions {
  readonly decidedBy?: Decided['decidedBy'];
  /**
   * How the run continues. `go-on`, for a person's decision: a run that was interrupted or failed is resumed, too.
   * `go-on-if-open`, for an expiry: only an open run continues. `interrupt`, for an expiry while no tab was open: the run is
   * interrupted until a person resumes it.
   */
  readonly after?: 'go-on' | 'go-on-if-open' | 'interrupt';
  readonly fingerprint?: string | undefined;
}

export function createDecisions(env: SessionEnv, runs: Runs, check: Guard): Decisions {
  const { log, link, ports, tools } = env;
  const rules = createApprovalRules(env.meta, env.agentName);
  const { append, getState } = log;

  function pendingCall(callId: string, fingerprint?: string): ToolPart {
    const call =
      findCall(getState(), callId)?.call ?? fail('CALL_NOT_FOUND', `There is no call ${callId} in this session.`);
    const { userName, decidedBy } = call.approval ?? {};
    if (call.status !== 'awaiting-approval')
      fail(
        'CALL_NOT_PENDING',
        `The call of ${call.name} is ${call.status}${decidedBy ? `, by ${userName ?? decidedBy}` : ''}: there is nothing to decide any more.`,
      );
    if (fingerprint !== undefined && fingerprint !== fingerprintOf(call))
      fail('DECISION_STALE', `The call of ${call.name} has changed since it was shown: review the call again.`);
    return call;
  }

  const proposals = createProposals(env, runs, decidableCall, takeProposal);

  /** Whether a decision is left to another page: the page that drives the run. */
  const isLeft = (drive: boolean | undefined): boolean => drive === false && !proposals.isDriving();

  /** A call that a person may decide. The timer that records the expiry may be late: browsers suspend background pages. */
  function decidableCall(callId: string, fingerprint?: string): ToolPart {
    check('open');
    const call = pendingCall(callId, fingerprint);
    return isDue(call) ? fail('CALL_NOT_PENDING', `The call of ${call.name} has expired.`) : call;
  }

  /** Records a decision and continues the run. Invariant: the first stored decision on a call wins. */
  async function decide(
    callId: string,
    decision: Decision,
    { decidedBy = 'user', after = 'go-on', fingerprint }: DecideOptions = {},
  ): Promise<void> {
    pendingCall(callId, fingerprint);
    // While another tab runs other calls of the reply, the decision waits until those calls have ended.
    if (runs.runsElsewhere()) await when(log.view(statusOf), (status) => status !== 'running');
    check('usable');
    const call = pendingCall(callId, fingerprint);
    const { name, approval } = call;
    if (decidedBy === 'user') decidableCall(callId);
    // Invariant: the tab that decides drives the run. Otherwise this tab would take the call that it has just approved for the
    // call of a run whose owner is gone.
    const open = openRun(getState());
    if (open) {
      if (runs.current() === undefined) runs.drive(open.id);
      runs.requestLease();
    }
    const driven = runs.current();
    // Invariant: no step follows from a decision of a person that is not on disk. A run that another decision continues waits, too.
    if (decidedBy === 'user') runs.hold(callId);
    const event = append({ type: 'approval.decided', callId, decidedBy, ...decision });
    try {
      await link.flush('strict');
    } catch (thrown) {
      const error = toAgentError(thrown, 'STORAGE_FAILED');
      if (error.code === 'STORAGE_CONFLICT') {
        await link.catchUp();
        letGo(callId);
        return decide(callId, decision, { decidedBy, after, fingerprint });
      }
      if (decidedBy === 'user') await takeBack(callId, error);
    }
    runs.release(callId);
    const { verdict, reason, userName } = decision;
    try {
      if (decision.remember === 'agent' && verdict !== 'expired' && approval?.toolVersion !== undefined)
        await rules.remember({
          name,
          verdict,
          toolVersion: approval.toolVersion,
          at: event.at,
          ...defined({ reason, userName }),
        });
    } finally {
      // Invariant: a run that another tab has taken over meanwhile does not continue here.
      if (driven === undefined || runs.current()) goOn(after);
    }
  }

  /**
   * Takes back a decision that a write could not store. Resolves if another write has stored the decision.
   *
   * @throws AgentError the error of the store, when the decision is not in the log any more
   */
  async function takeBack(callId: string, error: AgentError): Promise<void> {
    for (;;) {
      const fate = link.withdraw(callId);
      if (fate === 'stored') return;
      if (fate === 'under-way') await link.catchUp();
      else {
        letGo(callId);
        throw error;
      }
    }
  }

  /** Ends the hold of a decision that is not in the log any more: a run that has begun meanwhile has waited. */
  function letGo(callId: string): void {
    runs.release(callId);
    runs.current()?.advance();
  }

  /** Resumes a run that was interrupted or failed, otherwise advances the open run. */
  function goOnWithRun(): void {
    const { run: last } = getState();
    if (last?.outcome === 'interrupted' || last?.outcome === 'failed') void runs.start({}, { resumes: last.id });
    else if (last && openRun(getState())) (runs.current() ?? runs.drive(last.id)).advance();
  }

  function goOn(after: Required<DecideOptions>['after']): void {
    if (after === 'interrupt') {
      if (statusOf(getState()) === 'running') runs.current()?.end('interrupted');
    } else if (after === 'go-on' || openRun(getState())) goOnWithRun();
    if (after === 'go-on') env.tree?.decided();
    proposals.takeUp();
  }

  /** Takes the decision of a person, here or in the page that drives the run. */
  function decideAs({ verdict, input, reason, answer, userName, remember, fingerprint }: Proposal, call: ToolPart) {
    const details = defined({ reason, userName });
    const text =
      verdict === 'rejected' &&
      rejectionTextOf({ ...env, sessionId: getState().id }, call, { decidedBy: 'user', ...details });
    const decision: Decision = { verdict, ...details, ...defined({ input, answer, remember }), ...text };
    return decide(call.callId, decision, { fingerprint });
  }

  async function takeProposal(call: ToolPart, proposal: Proposal): Promise<void> {
    if (proposal.input) await checkEdited(call, proposal.input);
    if (proposal.answer !== undefined) await checkAnswer(call, proposal.answer);
    await decideAs(proposal, call);
  }

  function take(call: ToolPart, proposal: Proposal, drive: boolean | undefined): Promise<void> {
    return isLeft(drive)
      ? proposals.propose(call, { ...proposal, fingerprint: proposal.fingerprint ?? fingerprintOf(call) })
      : decideAs(proposal, call);
  }

  function isDue(call: ToolPart): boolean {
    return expiryOf(call) <= ports.now();
  }

  function toolOf({ name }: ToolPart): Tool {
    return tools.get(name) ?? fail('TOOL_NOT_FOUND', `The agent has no tool "${name}".`);
  }

  async function checkEdited(call: ToolPart, input: JsonObject): Promise<void> {
    const { problem } = await toolOf(call)[engine].check(input);
    if (problem !== undefined) fail('INVALID_INPUT', `The edited input does not fit: ${problem}`);
  }

  async function checkAnswer(call: ToolPart, answer: Json): Promise<void> {
    const problem = await toolOf(call)[engine].checkAnswer(answer, call);
    if (problem !== undefined) fail('INVALID_INPUT', `The answer does not fit: ${problem}`);
  }

  /** A page that leaves the decision to another page may lack the tool: the other page checks the input then. */
  const canCheck = ({ name }: ToolPart, drive: boolean | undefined): boolean => tools.has(name) || !isLeft(drive);

  return {
    async approve(callId, { input, fingerprint, userName, remember, drive }) {
      const call = pendingCall(callId, fingerprint);
      if (call.approval?.elicitation)
        fail('INVALID_INPUT', `The call of ${call.name} awaits an answer: call \`answer\`.`);
      if (input !== undefined && canCheck(call, drive)) await checkEdited(call, input);
      const details = defined({ input, userName, fingerprint });
      await take(call, { verdict: 'approved', ...details, ...remembered(remember) }, drive);
    },
    async reject(callId, { reason, fingerprint, userName, remember, drive }) {
      const call = pendingCall(callId, fingerprint);
      const details = defined({ reason, userName, fingerprint });
      await take(call, { verdict: 'rejected', ...details, ...remembered(remember) }, drive);
    },
    async answer(callId, answer, { fingerprint, userName, drive }) {
      const call = pendingCall(callId, fingerprint);
      if (call.approval?.elicitation === undefined)
        fail(
          'INVALID_INPUT',
          `The call of ${call.name} awaits approval, not an answer: call \`approve\` or \`reject\`.`,
        );
      if (canCheck(call, drive)) await checkAnswer(call, answer);
      await take(call, { verdict: 'approved', answer, ...defined({ userName, fingerprint }) }, drive);
    },
    async expire(callId, isLate) {
      // Invariant: a run that another page drives does not continue in this page, with the key of this page. That page records the expiry.
      if (!isLate && !proposals.isDriving() && proposals.proposed()[0]) return;
      const after = isLate ? 'interrupt' : 'go-on-if-open';
      await decide(callId, { verdict: 'expired' }, { decidedBy: 'timeout', after });
    },
  };
}

function remembered(scope: DecisionOptions['remember']): { readonly remember?: 'session' | 'agent' } {
  return scope === undefined || scope === 'once' ? {} : { remember: scope };
}
