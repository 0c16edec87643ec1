import { type Agent, type AgentOptions, createAgent, type SessionLock, type SessionStore } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { filter } from 'rxjs';
import { createManualPorts, type ManualPorts } from './ports.ts';

export interface Tab {
  readonly agent: Agent;
  readonly ports: ManualPorts;
  /** The tab is gone from one moment to the next: it writes nothing more, hears nothing, and its locks come free. */
  kill(): void;
}

/** A browser with a store that all its tabs share, and locks that come free when a tab dies. */
export function createBrowser(): { readonly store: SessionStore; open(options: Omit<AgentOptions, 'store'>): Tab } {
  const store = createMemoryStore();
  const locks = createSessionLocks();
  let opened = 0;

  return {
    store,
    open(options) {
      let alive = true;
      const held = new Set<SessionLock>();
      const never = new Promise<never>(() => {});
      const keep = async (acquired: Promise<SessionLock>): Promise<SessionLock> => {
        const lock = await acquired;
        held.add(lock);
        if (!alive) lock.release();
        return lock;
      };
      const ports = createManualPorts(`tab${++opened}`);
      const agent = createAgent({
        ports,
        ...options,
        store: {
          ...store,
          changes$: store.changes$.pipe(filter(() => alive)),
          read: (...args) => (alive ? store.read(...args) : never),
          write: (write) => (alive ? store.write(write) : never),
          locks: {
            acquire: (sessionId, signal) => keep(locks.acquire(sessionId, signal)),
            take: (sessionId) => keep(locks.take(sessionId)),
          },
        },
      });
      return {
        agent,
        ports,
        kill() {
          alive = false;
          for (const lock of held) lock.release();
        },
      };
    },
  };
}
