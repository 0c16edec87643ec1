import { AgentError } from '../core/error.ts';
import type { AcquireOptions, SessionLock, SessionLocks } from '../core/log/store.ts';

export interface LockOptions {
  /** Name of the database; locks of different databases have nothing to do with each other. Default `brooklet`. */
  readonly name?: string;
  /**
   * ms to wait in the queue. Default 300. Not 0: a tab in the back-forward cache, or one that has just died, still has its
   * lock for a moment and gives it up when somebody queues.
   */
  readonly timeout?: number;
}

/** One Web Lock a session, held for as long as the session runs (DESIGN §7). */
export function createSessionLocks({ name = 'brooklet', timeout = 300 }: LockOptions = {}): SessionLocks {
  const lockManager = globalThis.navigator?.locks;
  const locks = lockManager === undefined ? createPageLocks() : createWebLocks(lockManager, name);
  return {
    acquire: (sessionId, options) => locks(sessionId, { timeout, ...options }),
    take: (sessionId) => locks(sessionId, 'take'),
  };
}

type Locks = (sessionId: string, how: AcquireOptions | 'take') => Promise<SessionLock>;

function createWebLocks(locks: LockManager, name: string): Locks {
  return (sessionId, how) =>
    new Promise((resolve, reject) => {
      const waiting = new AbortController();
      const lost = new AbortController();
      const { timeout = Infinity, signal } = how === 'take' ? {} : how;
      const giveUp = (): void => waiting.abort(busy(sessionId));
      const timer = timeout === Infinity ? undefined : setTimeout(giveUp, timeout);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted) giveUp();
      const request = locks.request(
        `brooklet:${name}:${sessionId}`,
        how === 'take' ? { steal: true } : { signal: waiting.signal },
        () => {
          clearTimeout(timer);
          return new Promise<void>((release) => resolve({ isExclusive: true, signal: lost.signal, release }));
        },
      );
      request.catch((thrown: unknown) => {
        clearTimeout(timer);
        // Before it was given: the time-out, or a page that may not have locks. After: somebody took it.
        reject(thrown instanceof AgentError ? thrown : denied(sessionId, thrown));
        lost.abort(busy(sessionId));
      });
    });
}

/** Stands in where there are no Web Locks: insecure pages, old browsers. */
function createPageLocks(): Locks {
  const holders = new Map<string, { readonly lost: AbortController; readonly released: Promise<void> }>();

  return async function acquire(sessionId, how) {
    const holder = holders.get(sessionId);
    if (how === 'take') holder?.lost.abort(busy(sessionId));
    else if (holder !== undefined) {
      if (how.timeout !== Infinity) throw busy(sessionId);
      await holder.released;
      if (how.signal?.aborted) throw busy(sessionId);
      return acquire(sessionId, how);
    }
    let free = (): void => {};
    const mine = { lost: new AbortController(), released: new Promise<void>((resolve) => (free = resolve)) };
    holders.set(sessionId, mine);
    return {
      isExclusive: false,
      signal: mine.lost.signal,
      release() {
        if (holders.get(sessionId) === mine) holders.delete(sessionId);
        free();
      },
    };
  };
}

const busy = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is running in another tab.`, { code: 'SESSION_BUSY' });

const denied = (sessionId: string, cause: unknown): AgentError =>
  new AgentError(`The browser gives no lock for session ${sessionId}.`, { code: 'STORAGE_UNAVAILABLE', cause });
