import { AgentError } from '../error.ts';
import type { SessionLock } from '../model/store.ts';

/** A tab's place in a session's lock queue, or the lock itself. */
export interface LockPlace {
  /** Resolves when the lock is granted; rejects with `SESSION_BUSY` when the tab leaves first. */
  readonly granted: Promise<void>;
  /** Leaves the queue, or releases the lock. */
  leave(): void;
}

export type LockNews = 'acquired' | 'denied' | 'lost';

/**
 * Takes a place in the queue.
 *
 * @param notify is called when the lock is granted, cannot be had, or is taken by another tab; not after `leave`
 */
export function takePlace(
  acquire: (signal: AbortSignal) => Promise<SessionLock> | undefined,
  notify: (news: LockNews) => void,
): LockPlace {
  const leaving = new AbortController();
  const { signal } = leaving;
  const report = (news: LockNews): void => {
    if (!signal.aborted) notify(news);
  };
  const granted = (async () => {
    const lock = await acquire(signal);
    if (signal.aborted) lock?.release();
    signal.throwIfAborted();
    signal.addEventListener('abort', () => lock?.release());
    lock?.signal.addEventListener('abort', () => report('lost'));
  })();
  granted.then(
    () => report('acquired'),
    () => report('denied'),
  );
  return {
    granted,
    leave: () => leaving.abort(new AgentError('This tab no longer waits for the session.', { code: 'SESSION_BUSY' })),
  };
}
