import { fail, toAgentError } from '../error.ts';
import { defined, type Json, type JsonObject } from '../json.ts';
import { findCall } from '../model/find-call.ts';
import { when } from '../log/current.ts';
import type { EventBody } from '../model/event.ts';
import { openRun } from '../model/state.ts';
import { expiryOf } from '../model/next.ts';
import { statusOf } from '../model/status.ts';
import type { ToolPart } from '../model/message.ts';
import type { AnswerOptions, ApproveOptions, DecisionOptions, RejectOptions } from './session.ts';
import { rejectionTextOf } from '../tools/rejection.ts';
import { createApprovalRules } from '../tools/approval-rules.ts';
import { engine, type Tool } from '../tools/tool.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { Runs } from './runs.ts';
import type { Guard } from './guard.ts';
import type { SessionEnv } from './session-env.ts';

// Loaded with what else is needed only where somebody decides.
export { createApprovalRules };

/** What a person says to the calls that wait for them, and what time says to those that nobody looks at. */
export interface Decisions {
  approve(callId: string, options?: ApproveOptions): Promise<void>;
  reject(callId: string, options?: RejectOptions): Promise<void>;
  answer(callId: string, answer: Json, options?: AnswerOptions): Promise<void>;
  /** @param isLate see `Step` */
  expire(callId: string, isLate: boolean): Promise<void>;
}

type Decided = Extract<EventBody, { readonly type: 'approval.decided' }>;
type Decision = Omit<Decided, 'type' | 'callId' | 'decidedBy'>;

interface How {
  readonly decidedBy?: Decided['decidedBy'];
  /**
   * What becomes of the run: a person's decision takes it up again, also when it has ended; time only lets it go on while it is
   * open. A run that nobody has looked at for so long is interrupted, and goes on when a person resumes it.
   */
  readonly after?: 'go-on' | 'go-on-if-open' | 'interrupt';
  readonly fingerprint?: string | undefined;
}

export function createDecisions(env: SessionEnv, runs: Runs, check: Guard): Decisions {
  const { log, replica, ports, tools } = env;
  const rules = createApprovalRules(env.meta, env.agentName);
  const { append, getState } = log;

  function heldCall(callId: string, fingerprint?: string): ToolPart {
    const call =
      findCall(getState(), callId)?.call ?? fail('CALL_NOT_FOUND', `There is no call ${callId} in this session.`);
    const { userName, decidedBy } = call.approval ?? {};
    if (call.status !== 'awaiting-approval')
      fail(
        'CALL_NOT_PENDING',
        `The call of ${call.name} is ${call.status}${decidedBy ? `, by ${userName ?? decidedBy}` : ''}: there is nothing to decide any more.`,
      );
    if (fingerprint !== undefined && fingerprint !== fingerprintOf(call))
      fail('DECISION_STALE', `The call of ${call.name} is not what was shown: look at it again.`);
    return call;
  }

  /** The first of two deciders wins: the decision counts when it is stored. */
  async function decide(
    callId: string,
    decision: Decision,
    { decidedBy = 'user', after = 'go-on', fingerprint }: How = {},
  ): Promise<void> {
    heldCall(callId, fingerprint);
    // The tab that runs the siblings has the word until they have ended.
    if (runs.runsElsewhere()) await when(log.view(statusOf), (status) => status !== 'running');
    check('usable');
    const call = heldCall(callId, fingerprint);
    const { name, approval } = call;
    // Its timer may be late: pages sleep.
    if (decidedBy === 'user' && isDue(call)) fail('CALL_NOT_PENDING', `The call of ${name} has expired.`);
    // Who decides runs. Else this tab would take what it has just let through for a run whose owner is gone.
    const open = openRun(getState());
    if (open) {
      if (runs.current() === undefined) runs.drive(open.id);
      runs.claim();
    }
    const { at } = append({ type: 'approval.decided', callId, decidedBy, ...decision });
    try {
      await replica.flush('strict');
    } catch (thrown) {
      if (toAgentError(thrown).code === 'STORAGE_CONFLICT') {
        await replica.catchUp();
        return decide(callId, decision, { decidedBy, after, fingerprint });
      }
    }
    const { verdict, reason, userName } = decision;
    try {
      if (decision.remember === 'agent' && verdict !== 'expired' && approval?.toolVersion !== undefined)
        await rules.remember({
          name,
          verdict,
          toolVersion: approval.toolVersion,
          at,
          ...defined({ reason, userName }),
        });
    } finally {
      goOn(after);
    }
  }

  function goOn(after: Required<How>['after']): void {
    const isRunning = (): boolean => statusOf(getState()) === 'running';
    if (after === 'interrupt') {
      if (isRunning()) runs.current()?.end('interrupted');
    } else if (after === 'go-on' || openRun(getState())) runs.goOn();
    if (!isRunning()) replica.noteStatus();
  }

  function isDue(call: ToolPart): boolean {
    return expiryOf(call) <= ports.now();
  }

  function toolOf({ name }: ToolPart): Tool {
    return tools.get(name) ?? fail('TOOL_NOT_FOUND', `The tool "${name}" is gone.`);
  }

  async function checkEdited(call: ToolPart, input: JsonObject): Promise<void> {
    const { problem } = await toolOf(call)[engine].check(input);
    if (problem !== undefined) fail('INVALID_INPUT', `The changed input does not fit: ${problem}`);
  }

  return {
    async approve(callId, { input, fingerprint, userName, remember: scope }: ApproveOptions = {}) {
      const call = heldCall(callId, fingerprint);
      if (call.approval?.elicitation) fail('INVALID_INPUT', `${call.name} asks something: give it an answer.`);
      if (input !== undefined) await checkEdited(call, input);
      const decision: Decision = { verdict: 'approved', ...defined({ input, userName }), ...remembered(scope) };
      await decide(callId, decision, { fingerprint });
    },
    async reject(callId, { reason, fingerprint, userName, remember: scope }: RejectOptions = {}) {
      const call = heldCall(callId, fingerprint);
      const why = defined({ reason, userName });
      const told = rejectionTextOf(env.formatRejection, call, { decidedBy: 'user', ...why });
      const decision: Decision = { verdict: 'rejected', ...why, ...told, ...remembered(scope) };
      await decide(callId, decision, { fingerprint });
    },
    async answer(callId, answer, { fingerprint, userName }: AnswerOptions = {}) {
      const call = heldCall(callId, fingerprint);
      const question =
        call.approval?.elicitation ?? fail('INVALID_INPUT', `${call.name} asks nothing: approve or reject it.`);
      const problem = toolOf(call)[engine].checkAnswer(answer, question);
      if (problem !== undefined) fail('INVALID_INPUT', `The answer does not fit: ${problem}`);
      await decide(callId, { verdict: 'approved', answer, ...defined({ userName }) }, { fingerprint });
    },
    async expire(callId, isLate) {
      const after = isLate ? 'interrupt' : 'go-on-if-open';
      await decide(callId, { verdict: 'expired' }, { decidedBy: 'timeout', after });
    },
  };
}

function remembered(scope: DecisionOptions['remember']): Pick<Decided, 'remember'> {
  return scope === undefined || scope === 'once' ? {} : { remember: scope };
}
