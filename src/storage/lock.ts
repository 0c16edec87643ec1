import { AgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { SessionLock, SessionLocks } from '../core/model/store.ts';

/**
 * One lock a session, for authors of stores: Web Locks, which hold between tabs; where the browser has none (an insecure
 * page), locks that hold among those who share the returned object.
 *
 * @param name of the database; locks of different databases have nothing to do with each other
 */
export function createSessionLocks(name = 'brooklet'): SessionLocks {
  return createWebLocks(name) ?? createPageLocks();
}

/** One Web Lock a session, held for as long as the session runs (DESIGN §7); `undefined` where the browser has none. */
export function createWebLocks(name: string): SessionLocks | undefined {
  const manager = globalThis.navigator?.locks;

  const request = (sessionId: string, options: LockOptions): Promise<SessionLock> =>
    new Promise((resolve, reject) => {
      const lost = new AbortController();
      const give = (isExclusive: boolean): Promise<void> =>
        new Promise((release) => resolve({ isExclusive, signal: lost.signal, release }));
      manager
        .request(`brooklet:${name}:${sessionId}`, options, () => give(true))
        .catch((thrown: unknown) => {
          // A page in a sandbox may have no locks: it shares no storage with others either.
          if (thrown instanceof Error && thrown.name === 'SecurityError') return give(false);
          // Before it was given: who waited has left. After: somebody took it.
          reject(busy(sessionId));
          lost.abort(busy(sessionId));
        });
    });

  return (
    manager && {
      take: (sessionId) => request(sessionId, { steal: true }),
      acquire: (sessionId, signal) => request(sessionId, defined({ signal })),
    }
  );
}

/** First come, first served, as Web Locks are. */
function createPageLocks(): SessionLocks {
  /** Of each session, when the last in the queue has had its turn. */
  const turns = new Map<string, Promise<void>>();
  const holders = new Map<string, AbortController>();

  async function give(
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
    await before;
    if (signal?.aborted) {
      release();
      throw busy(sessionId);
    }
    holders.set(sessionId, lost);
    return { isExclusive: false, signal: lost.signal, release };
  }

  return {
    async acquire(sessionId, signal) {
      if (signal?.aborted) throw busy(sessionId);
      return give(sessionId, turns.get(sessionId), signal);
    },
    take(sessionId) {
      holders.get(sessionId)?.abort(busy(sessionId));
      return give(sessionId, undefined);
    },
  };
}

const busy = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is running in another tab.`, { code: 'SESSION_BUSY' });
