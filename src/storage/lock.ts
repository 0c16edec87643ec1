import { AgentError } from '../core/error.ts';

export interface LockOptions {
  /** Name of the database; locks of different databases have nothing to do with each other. Default `brooklet`. */
  readonly name?: string;
  /**
   * ms to wait in the queue. Default 300. Not 0: a tab in the back-forward cache, or one that has just died, still has its
   * lock for a moment and gives it up when somebody queues.
   */
  readonly timeout?: number;
}

/** The right to run one session, until it is released, the tab goes away, or somebody takes it. */
export interface SessionLock {
  /** Whether it holds against other tabs. Where the browser has no locks it holds in this page only; the store still refuses stale writes. */
  readonly isExclusive: boolean;
  /** Aborted with an `AgentError` `SESSION_BUSY` when another tab has taken the lock. */
  readonly signal: AbortSignal;
  /** May be called twice. */
  release(): void;
}

export interface SessionLocks {
  /**
   * @throws AgentError `SESSION_BUSY` when somebody else keeps the session for longer than the time-out
   */
  acquire(sessionId: string): Promise<SessionLock>;
  /** Takes the lock from whoever has it, say from a tab that is frozen. That tab's `signal` aborts, once it wakes up. */
  take(sessionId: string): Promise<SessionLock>;
}

/** One Web Lock a session, held for as long as the session runs (DESIGN §7). */
export function createSessionLocks({ name = 'brooklet', timeout = 300 }: LockOptions = {}): SessionLocks {
  const lockManager = globalThis.navigator?.locks;
  const locks = lockManager === undefined ? createPageLocks() : createWebLocks(lockManager, name);
  return {
    acquire: (sessionId) => locks(sessionId, timeout),
    take: (sessionId) => locks(sessionId, 'take'),
  };
}

type Locks = (sessionId: string, how: number | 'take') => Promise<SessionLock>;

function createWebLocks(locks: LockManager, name: string): Locks {
  return (sessionId, how) =>
    new Promise((resolve, reject) => {
      const waiting = new AbortController();
      const lost = new AbortController();
      const timer = how === 'take' ? undefined : setTimeout(() => waiting.abort(busy(sessionId)), how);
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
  const holders = new Map<string, AbortController>();
  return async (sessionId, how) => {
    if (how !== 'take' && holders.has(sessionId)) throw busy(sessionId);
    holders.get(sessionId)?.abort(busy(sessionId));
    const lost = new AbortController();
    holders.set(sessionId, lost);
    return {
      isExclusive: false,
      signal: lost.signal,
      release() {
        if (holders.get(sessionId) === lost) holders.delete(sessionId);
      },
    };
  };
}

const busy = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is running in another tab.`, { code: 'SESSION_BUSY' });

const denied = (sessionId: string, cause: unknown): AgentError =>
  new AgentError(`The browser gives no lock for session ${sessionId}.`, { code: 'STORAGE_UNAVAILABLE', cause });
