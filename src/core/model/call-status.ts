import type { CallStatus } from './message.ts';

/** The allowed transitions of a call's status. An event for any other transition changes nothing. */
const following: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  streaming: ['requested', 'cancelled'],
  requested: ['invalid', 'awaiting-approval', 'approved', 'cancelled'],
  'awaiting-approval': ['approved', 'edited', 'rejected', 'expired', 'cancelled'],
  approved: ['started', 'cancelled'],
  edited: ['started', 'cancelled'],
  // A tool may ask a person in the midst of its call: the answer starts the call again.
  started: ['awaiting-approval', 'succeeded', 'failed', 'timed-out', 'cancelled', 'uncertain'],
  succeeded: [],
  failed: [],
  'timed-out': [],
  // A further attempt with the same idempotency key, for an idempotent tool.
  uncertain: ['started'],
  invalid: [],
  rejected: [],
  expired: [],
  cancelled: [],
};

/** Every status that a call may have. */
export const callStatuses: readonly string[] = Object.keys(following);

/** Whether a call has ended, with any result. */
export function isEnded(status: CallStatus): boolean {
  // A log of a newer version may contain unknown states. A call that can only start again has ended.
  return Object.hasOwn(following, status) && following[status].every((state) => state === 'started');
}

/** Whether a call may move from state `from` to state `to`. */
export function mayFollow(from: CallStatus, to: CallStatus): boolean {
  return following[from].includes(to);
}
