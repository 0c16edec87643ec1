import { notifyError } from '../caught-error.ts';
import { fail, toAgentError } from '../error.ts';
import { findCall } from '../model/find-call.ts';
import type { Proposal, ToolPart } from '../model/message.ts';
import { openRun } from '../model/state.ts';
import { callsAwaitingApproval } from '../model/status.ts';
import type { Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';

/** The decisions of pages that do not drive the run. */
export interface Proposals {
  /** Whether this page drives the run that is open. */
  isDriving(): boolean;
  /** Stores a decision for the page that drives the run. Rejects as `Decisions` does; the proposal is then not in the log. */
  propose(call: ToolPart, proposal: Proposal): Promise<void>;
  /** Decides as proposed, if this page drives the run. */
  takeUp(): void;
  /** The calls that await a decision, with their proposals. */
  proposed(): readonly (readonly [ToolPart, Proposal])[];
}

/** ms until a proposal is taken up again whose decision could not be stored. */
const retryIn = 5_000;

/**
 * @param pendingCall returns a call that awaits approval, and may still be decided
 * @param decide decides a call as proposed
 */
export function createProposals(
  { log, link, ports, onError }: SessionEnv,
  runs: Runs,
  pendingCall: (callId: string, fingerprint?: string) => ToolPart,
  decide: (call: ToolPart, proposal: Proposal) => Promise<void>,
): Proposals {
  const { append, getState } = log;
  /** Ids of the calls that are being decided. */
  const underWay = new Set<string>();

  const isDriving = (): boolean => runs.current() !== undefined && openRun(getState()) !== undefined;

  async function propose({ callId, name }: ToolPart, proposal: Proposal): Promise<void> {
    /** Whether the proposal is in the log. Invariant: the first proposal on a call stands. */
    const isMade = (): boolean =>
      JSON.stringify(findCall(getState(), callId)?.call.approval?.proposal) === JSON.stringify(proposal);
    const refuse = (): never =>
      fail('CALL_NOT_PENDING', `The call of ${name} is decided already, and waits for the page that drives the run.`);
    let wasMade = false;
    let isReplayed = false;
    for (;;) {
      // The page that drives the run may have decided as proposed meanwhile.
      if (!wasMade || !isMade()) {
        const { approval } = pendingCall(callId, proposal.fingerprint);
        if (openRun(getState()) === undefined)
          fail(
            'INVALID_INPUT',
            `The run of the call of ${name} has ended, and no page drives it: decide without \`drive\`.`,
          );
        if (approval?.proposal) return refuse();
        wasMade = true;
        append({ type: 'approval.proposed', callId, proposal });
      }
      try {
        await link.flush('strict');
        break;
      } catch (thrown) {
        const error = toAgentError(thrown, 'STORAGE_FAILED');
        // A closed log reads nothing and writes nothing: what was refused stays refused.
        if (link.isClosed()) throw error;
        if (error.code !== 'STORAGE_CONFLICT') {
          // Invariant: a proposal that is not on disk has not been made.
          if (!isReplayed && link.withdraw(callId) === 'withdrawn') throw error;
          await new Promise<void>((resolve) => ports.delay(resolve, retryIn));
        } else {
          // The proposal is appended again, above what other tabs have stored: see `sortRefused`.
          isReplayed = true;
          await link.catchUp();
        }
      }
    }
    if (!isMade()) refuse();
  }

  const proposed: Proposals['proposed'] = () =>
    callsAwaitingApproval(getState()).flatMap((call) => {
      const { proposal, verdict } = call.approval ?? {};
      return proposal && verdict === undefined ? [[call, proposal] as const] : [];
    });

  async function takeUpOne(call: ToolPart, proposal: Proposal): Promise<void> {
    const { callId } = call;
    underWay.add(callId);
    try {
      await decide(call, proposal);
    } catch (thrown) {
      const error = toAgentError(thrown);
      if (error.retryable) ports.delay(takeUp, retryIn);
      // What another page has decided meanwhile is not an error.
      else if (error.code !== 'CALL_NOT_PENDING') notifyError(onError, error, { sessionId: getState().id, callId });
    } finally {
      underWay.delete(callId);
    }
  }

  /** Invariant: only the page that drives the run decides as proposed. A page that was reloaded does not drive a run. */
  function takeUp(): void {
    if (link.isClosed() || !isDriving()) return;
    for (const [call, proposal] of proposed()) if (!underWay.has(call.callId)) void takeUpOne(call, proposal);
  }

  log
    .viewTurns(() =>
      proposed()
        .map(([{ callId }]) => callId)
        .join(' '),
    )
    .subscribe(takeUp);

  return { isDriving, propose, takeUp, proposed };
}
