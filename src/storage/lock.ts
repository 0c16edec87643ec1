import { AgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { SessionLock, SessionLocks } from '../core/model/store.ts';

/**
 * Creates one lock per session, for authors of stores: Web Locks, which are exclusive between the tabs of an origin.
 * Where the browser has no Web Locks (a page without HTTPS), the locks are exclusive only between users of the returned
 * object.
 *
 * @param name of the database; locks of different databases are independent. Default `brooklet`
 */
export function createSessionLocks(name = 'brooklet'): SessionLocks {
  return createWebLocks(name) ?? createPageLocks();
}

/**
 * ms after which a tab looks again whether a run that it watches has an owner. Invariant: longer than a request for a lock is on its way. WebKit hands
 * requests and writes to different processes: where it was measured, a request came up to 8 ms after a write that was begun later had been read.
 */
const watchPause = 100;

/** One Web Lock per session, acquired for as long as the session runs; `undefined` where the browser has no Web Locks. */
export function createWebLocks(name: string): SessionLocks | undefined {
  const manager = globalThis.navigator?.locks;
  const nameOf = (sessionId: string): string => `brooklet:${name}:${sessionId}`;

  const request = (sessionId: string, options: LockOptions): Promise<SessionLock> =>
    new Promise((resolve, reject) => {
      const lost = new AbortController();
      // The browser releases the lock when this promise resolves.
      const grant = (isExclusive: boolean): Promise<void> =>
        new Promise((release) => resolve({ isExclusive, signal: lost.signal, release }));
      manager
        .request(nameOf(sessionId), options, () => grant(true))
        .catch((thrown: unknown) => {
          // A sandboxed page may not use locks: it shares no storage with other pages either.
          if (thrown instanceof Error && thrown.name === 'SecurityError') return grant(false);
          // Before the grant: the caller's signal left the queue. After it: another tab stole the lock.
          reject(busy(sessionId));
          lost.abort(busy(sessionId));
        });
    });

  /** Whether no tab has the lock, or waits for it. */
  async function isFree(sessionId: string): Promise<boolean> {
    const { held = [], pending = [] } = await manager.query();
    return ![...held, ...pending].some((lock) => lock.name === nameOf(sessionId));
  }

  return (
    manager && {
      take: (sessionId) => request(sessionId, { steal: true }),
      async acquire(sessionId, signal, { isWatch = false } = {}) {
        // A page that may not use locks may not list them.
        if (isWatch && (await isFree(sessionId).catch(() => false))) await pause(watchPause, signal);
        return request(sessionId, defined({ signal }));
      },
      async isHeld(sessionId) {
        const { held = [] } = await manager.query();
        return held.some((lock) => lock.name === nameOf(sessionId));
      },
    }
  );
}

/** Resolves after `ms`, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

/** First come, first served, like Web Locks. */
function createPageLocks(): SessionLocks {
  /** By session: settles when the last request in the queue has released its lock. */
  const turns = new Map<string, Promise<void>>();
  const holders = new Map<string, AbortController>();

  async function grant(
    sessionId: string,
    before: Promise<void> | undefined,
    signal?: AbortSignal,
  ): Promise<SessionLock> {
    let end = (): void => {};
    const turn = new Promise<void>((resolve) => (end = resolve));
    turns.set(sessionId, turn);
    const lost = new AbortController();
    const release = (): void => {
      if (turns.get(sessionId) === turn) turns.delete(sessionId);
      if (holders.get(sessionId) === lost) holders.delete(sessionId);
      end();
    };
    await (before && signal ? turnOrAbort(before, signal) : before);
    if (signal?.aborted) {
      // A request that leaves the queue rejects at once, and passes the lock on at its turn.
      void Promise.resolve(before).then(release);
      throw busy(sessionId);
    }
    holders.set(sessionId, lost);
    return { isExclusive: false, signal: lost.signal, release };
  }

  return {
    async acquire(sessionId, signal) {
      if (signal?.aborted) throw busy(sessionId);
      return grant(sessionId, turns.get(sessionId), signal);
    },
    take(sessionId) {
      holders.get(sessionId)?.abort(busy(sessionId));
      return grant(sessionId, undefined);
    },
    isHeld: async (sessionId) => turns.has(sessionId),
  };
}

const busy = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is running in another tab.`, { code: 'SESSION_BUSY' });

/** Resolves when the turn has come, or when the signal aborts. */
function turnOrAbort(before: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    void before.then(end);
  });
}
