import { defined } from '../json.ts';
import type { ToolPart } from './message.ts';
import type { SessionState } from './state.ts';
import { callsAwaitingApproval, lastReplyOf } from './status.ts';

/** A call that waits for a person, as the row of its session states it: without its input. */
export interface WaitingCall {
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** `question`: the call waits for an answer (`answer`). `approval`: it waits for `approve` or `reject`. */
  readonly kind: 'approval' | 'question';
  /** When the decision was requested: ms since the epoch. */
  readonly requestedAt: number;
  /** ms since the epoch, after which the call expires; missing where it does not. */
  readonly expiresAt?: number;
  /** The text of a question, of at most 200 characters; missing for an approval. */
  readonly label?: string;
}

/** Calls that the row of a session states at most: every list reads them. */
export const mostWaiting = 20;

const longestLabel = 200;

/** Returns the calls of a session that wait for a person, in the order of the reply. */
export function waitingCalls(state: SessionState): readonly WaitingCall[] {
  const calls = callsAwaitingApproval(state);
  const since = lastReplyOf(state)?.timestamp ?? state.updatedAt;
  return calls.map((call) => {
    const asked = state.asked?.find(({ callId }) => callId === call.callId);
    return toWaitingCall(call, asked?.at ?? since);
  });
}

/** Returns what a row states of a call. */
export function toWaitingCall(
  { callId, name, approval = {} }: Pick<ToolPart, 'callId' | 'name' | 'approval'>,
  requestedAt: number,
): WaitingCall {
  const { expiresAt, elicitation } = approval;
  const kind = elicitation === undefined ? 'approval' : 'question';
  return { callId, name, kind, requestedAt, ...defined({ expiresAt, label: labelOf(elicitation?.title) }) };
}

function labelOf(title: unknown): string | undefined {
  if (typeof title !== 'string' || title === '') return undefined;
  return title.length > longestLabel ? `${title.slice(0, longestLabel - 1)}…` : title;
}
