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

/** Stands in where there are no Web Locks: insecure pages, old browsers. First come, first served, as there. */
function createPageLocks(): Locks {
  /** Of each session: who has the lock, then who waits for it. */
  const queues = new Map<string, { readonly lost: AbortController; readonly grant: () => void }[]>();

  return (sessionId, how) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(sessionId) ?? [];
      queues.set(sessionId, queue);
      const lost = new AbortController();
      const place = { lost, grant: () => resolve({ isExclusive: false, signal: lost.signal, release }) };

      function release(): void {
        const isHolder = queue[0] === place;
        if (queue.includes(place)) queue.splice(queue.indexOf(place), 1);
        if (isHolder) queue[0]?.grant();
      }

      if (how === 'take') {
        queue.shift()?.lost.abort(busy(sessionId));
        queue.unshift(place);
        return place.grant();
      }
      if (queue.length > 0 && how.timeout !== Infinity) return reject(busy(sessionId));
      queue.push(place);
      if (queue[0] === place) return place.grant();
      how.signal?.addEventListener('abort', () => {
        release();
        reject(busy(sessionId));
      });
    });
}

const busy = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is running in another tab.`, { code: 'SESSION_BUSY' });

const denied = (sessionId: string, cause: unknown): AgentError =>
  new AgentError(`The browser gives no lock for session ${sessionId}.`, { code: 'STORAGE_UNAVAILABLE', cause });
