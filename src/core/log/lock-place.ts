import { AgentError } from '../error.ts';
import type { SessionLock } from '../model/store.ts';

/** The place of a tab in the lock queue of a session; once granted, the lock itself. */
export interface LockPlace {
  /** Resolves when the lock is granted; rejects with `SESSION_BUSY` when the tab leaves first. */
  readonly granted: Promise<void>;
  /** Leaves the queue, or releases the lock. */
  leave(): void;
}

/** What happened to the lock: granted, not granted, or taken by another tab. */
export type LockNews = 'acquired' | 'denied' | 'lost';

/**
 * Takes a place in the lock queue.
 *
 * @param notify called when the lock is granted, not granted, or taken by another tab; not after `leave`
 */
export function takePlace(
  acquire: (signal: AbortSignal) => Promise<SessionLock> | undefined,
  notify: (change: LockNews) => void,
): LockPlace {
  const leaving = new AbortController();
  const { signal } = leaving;
  const report = (change: LockNews): void => {
    if (!signal.aborted) notify(change);
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
    leave: () =>
      leaving.abort(new AgentError('This tab has left the lock queue of the session.', { code: 'SESSION_BUSY' })),
  };
}
