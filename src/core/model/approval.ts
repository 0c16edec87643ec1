import { defined } from '../json.ts';
import { changeCall, putCall } from './change.ts';
import type { SessionEvent } from './event.ts';
import { findCall } from './find-call.ts';
import type { ApprovalRule, AskedCall, SessionState } from './state.ts';
import { callsAwaitingApproval } from './status.ts';

/** An event by which a call asks for a decision, or gets one. */
type ApprovalEvent = Extract<
  SessionEvent,
  { readonly type: 'approval.requested' | 'approval.decided' | 'approval.proposed' }
>;

/** Returns the state after one more event on the approval of a call. Pure. An event that does not apply changes nothing. */
export function changeApproval(state: SessionState, event: ApprovalEvent): SessionState {
  switch (event.type) {
    case 'approval.requested': {
      const approval = defined({
        expiresAt: event.expiresAt,
        toolVersion: event.toolVersion,
        elicitation: event.elicitation,
        cause: event.cause,
      });
      const held = changeCall(state, event.callId, 'awaiting-approval', () =>
        Object.keys(approval).length > 0 ? { approval } : {},
      );
      return held === state ? state : { ...held, asked: askedWith(state, event) };
    }
    case 'approval.decided': {
      const { verdict, decidedBy, reason, userName, answer, input, toolVersion, rejectionText } = event;
      const status = verdict === 'approved' && input !== undefined ? 'edited' : verdict;
      const decided = changeCall(state, event.callId, status, (call) => ({
        approval: {
          ...call.approval,
          verdict,
          decidedBy,
          ...defined({ reason, userName, answer, toolVersion, rejectionText }),
        },
        ...(status === 'edited' && defined({ editedInput: input })),
      }));
      // Decisions of a policy or a rule take no waiting time, so they do not restart the run's time budget.
      return decided === state || decidedBy === 'policy' || decidedBy === 'rule'
        ? decided
        : afterDecision(decided, event);
    }
    case 'approval.proposed': {
      const found = findCall(state, event.callId);
      // Invariant: the first proposal on a call stands.
      return found?.call.status === 'awaiting-approval' && !found.call.approval?.proposal
        ? putCall(state, found, { approval: { ...found.call.approval, proposal: event.proposal } })
        : state;
    }
  }
}

/** Returns when decisions were requested: of the calls that still wait, and of the one of the event. */
function askedWith(state: SessionState, { callId, at }: AskedCall): readonly AskedCall[] {
  const { asked = [] } = state;
  const waits = new Set(callsAwaitingApproval(state).map((call) => call.callId));
  return [...asked.filter((one) => waits.has(one.callId) && one.callId !== callId), { callId, at }];
}

/**
 * Restarts the run's time budget when the user has decided or the approval has timed out. With `remember: 'session'`, also adds the
 * decision to `approvalRules`.
 */
function afterDecision(state: SessionState, event: Extract<SessionEvent, { type: 'approval.decided' }>): SessionState {
  const { at, verdict, remember, reason, userName } = event;
  const call = findCall(state, event.callId)?.call;
  const toolVersion = call?.approval?.toolVersion;
  const run = state.run && { ...state.run, since: at, decidedAt: at };
  if (remember !== 'session' || verdict === 'expired' || call === undefined || toolVersion === undefined)
    return { ...state, ...defined({ run }) };
  const rule: ApprovalRule = {
    name: call.name,
    verdict,
    toolVersion,
    at,
    ...defined({ reason, userName }),
  };
  const approvalRules = [...state.approvalRules.filter((one) => one.name !== rule.name), rule];
  return { ...state, approvalRules, ...defined({ run }) };
}
