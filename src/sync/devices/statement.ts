import type { SessionEvent } from '../../core/model/event.ts';
import { withoutPosition } from '../../core/model/without-position.ts';
import { isDecision } from '../decision-guard.ts';
import { canonical } from './canonical.ts';

/**
 * Returns the text that a device signs: the session, the call as it was requested, what was asked, and the decision with its time. Pure.
 * No `seq`, which changes when events of another device come before. `undefined` where the log does not have the call exactly once: what
 * was shown is unknown then, and nothing is signed.
 *
 * @param before the log before the decision, or all its events that concern the call
 */
export function statementOf(
  sessionId: string,
  decision: SessionEvent,
  before: readonly SessionEvent[],
): string | undefined {
  if (!isDecision(decision)) return undefined;
  const { callId } = decision;
  const its = before.filter((event) => 'callId' in event && event.callId === callId);
  const requested = its.filter(({ type }) => type === 'call.requested');
  if (requested.length !== 1) return undefined;
  const asked = its.filter(({ type }) => type === 'approval.requested');
  const { proof: _proof, ...content } = decision;
  return canonical([
    'brooklet decision',
    sessionId,
    [...requested, ...asked].map(withoutPosition),
    withoutPosition(content),
  ]);
}
