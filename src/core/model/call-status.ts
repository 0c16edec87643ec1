import type { CallStatus } from './message.ts';

/** Which state of a call may follow which. What is not here cannot happen: an event that says so changes nothing. */
const following: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  streaming: ['requested', 'cancelled'],
  requested: ['invalid', 'awaiting-approval', 'approved', 'cancelled'],
  'awaiting-approval': ['approved', 'edited', 'rejected', 'expired', 'cancelled'],
  approved: ['started', 'cancelled'],
  edited: ['started', 'cancelled'],
  started: ['succeeded', 'failed', 'timed-out', 'cancelled', 'uncertain'],
  succeeded: [],
  failed: [],
  'timed-out': [],
  // Again, with the same key: of a tool that says that this does no harm.
  uncertain: ['started'],
  invalid: [],
  rejected: [],
  expired: [],
  cancelled: [],
};

/** Whether a call has come to its end, one way or another. */
export function isEnded(status: CallStatus): boolean {
  // A log may come from a newer version, with states of its own. What can only begin again has come to its end.
  return Object.hasOwn(following, status) && following[status].every((state) => state === 'started');
}

/** Whether a call in state `from` may come into state `to`. */
export function mayFollow(from: CallStatus, to: CallStatus): boolean {
  return following[from].includes(to);
}
