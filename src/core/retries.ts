import { type Observable, Subject } from 'rxjs';
import type { AgentError } from './error.ts';

/** A failed request that will be sent again: "retrying in 3 s (2 of 4)". */
export interface Retry {
  readonly sessionId: string;
  /** Number of the next attempt; the first attempt is 1. */
  readonly attempt: number;
  /** All attempts that are allowed. */
  readonly attempts: number;
  /** ms from the failure to the next attempt; where the request waits for the network, the longest wait. */
  readonly ms: number;
  /** `online`: the next attempt follows as soon as the browser has a network again. Missing for an attempt after `ms`. */
  readonly until?: 'online';
  readonly error: AgentError;
}

const changes = new Subject<void>();
const pending = new Map<string, Retry>();

/** Emits when a request of any session begins or ends to wait for its next attempt. */
export const retryChanges$: Observable<void> = changes.asObservable();

/** Returns the pending retry of a session, whichever client of this page sends its requests. */
export function getRetry(sessionId: string): Retry | undefined {
  return pending.get(sessionId);
}

/** Sets the pending retry of its session. Returns a function that removes the retry, unless another one has replaced it. */
export function noteRetry(retry: Retry): () => void {
  pending.set(retry.sessionId, retry);
  changes.next();
  return () => {
    if (pending.get(retry.sessionId) !== retry) return;
    pending.delete(retry.sessionId);
    changes.next();
  };
}
