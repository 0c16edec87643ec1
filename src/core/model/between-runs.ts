import type { ToolPart } from './message.ts';
import type { QueuedMessage, RecentState, SessionState } from './state.ts';
import { callsAwaitingApproval, statusOf } from './status.ts';

/** The tab and the time in which `next` is evaluated. */
export interface Situation {
  /** ms since the epoch. */
  readonly now: number;
  /**
   * `owner`: this tab drives the session's last run, or has just changed a session in which nothing runs. `follower`: another
   * tab may drive the run. `orphaned`: the tab that ran the session has vanished.
   */
  readonly role: 'owner' | 'follower' | 'orphaned';
  /** When this tab opened the session: ms since the epoch. */
  readonly openedAt: number;
}

/** A step that belongs to no run. */
export type StepBetweenRuns =
  /** Do nothing: something is under way, or a person has to decide. */
  | { readonly do: 'wait' }
  /** Start a run that answers a queued message. */
  | { readonly do: 'start'; readonly queued: QueuedMessage }
  /** Record that the time to decide these calls is over. */
  | { readonly do: 'expire'; readonly calls: readonly Overdue[] }
  /** End the run of a tab that has vanished: see `recover`. */
  | { readonly do: 'recover' };

/** A call that no person has decided in time. */
export interface Overdue {
  readonly callId: string;
  /** Whether the time was over before this tab opened the session. */
  readonly isLate: boolean;
}

/** Returns the steps that belong to no run; `undefined` if the next step is that of the run which this tab drives. */
export function betweenRuns(
  state: SessionState | RecentState,
  { now, role, openedAt }: Situation,
): StepBetweenRuns | undefined {
  const isRunning = statusOf(state) === 'running';
  if (role === 'orphaned' && isRunning) return { do: 'recover' };
  // While other calls run, only the tab that runs these calls lets a call expire. After that, any tab may.
  const due = isRunning && role !== 'owner' ? [] : callsAwaitingApproval(state).filter((call) => expiryOf(call) <= now);
  if (due.length > 0)
    return { do: 'expire', calls: due.map((call) => ({ callId: call.callId, isLate: expiryOf(call) <= openedAt })) };
  if (role !== 'owner') return { do: 'wait' };
  const { run, queue } = state;
  const first = queue.find(({ due }) => due === undefined);
  // After a run that was stopped or that failed, the queue waits: a person looks at the result first.
  const isDone = run === undefined || run.outcome === 'completed' || (run.outcome === 'failed' && run.isCompaction);
  return first !== undefined && isDone ? { do: 'start', queued: first } : undefined;
}

/** When a call expires: ms since the epoch; `Infinity` if the call does not expire. */
export function expiryOf({ approval }: ToolPart): number {
  return approval?.expiresAt ?? Infinity;
}

/** When `next` has to be evaluated again without a new event: ms since the epoch, or `Infinity`. */
export function nextDeadline(state: SessionState | RecentState): number {
  return Math.min(...callsAwaitingApproval(state).map(expiryOf));
}
