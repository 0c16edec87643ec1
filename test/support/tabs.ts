import { type Agent, type AgentOptions, createAgent, type SessionStore } from 'brooklet';
import type { SessionLock } from 'brooklet/core';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { filter } from 'rxjs';
import { createManualClient, settled } from './manual-client.ts';
import { createManualPorts, type ManualPorts } from './ports.ts';

export interface Tab {
  readonly agent: Agent;
  readonly ports: ManualPorts;
  /** Kills the tab at once: the tab writes nothing more, receives nothing, and releases its locks. */
  kill(): void;
}

export interface Browser {
  /** The parts that all tabs share. */
  readonly store: SessionStore;
  /** @param spoil wraps the store with a worse one, for this tab only */
  open(options: Omit<AgentOptions, 'store'>, spoil?: (store: SessionStore) => SessionStore): Tab;
}

/** A browser with a store that all its tabs share, and with locks that are released when a tab dies. */
export function createBrowser(): Browser {
  const store = createMemoryStore();
  const locks = createSessionLocks();
  let opened = 0;

  return {
    store,
    open(options, spoil = (its) => its) {
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
        store: spoil({
          ...store,
          changes$: store.changes$.pipe(filter(() => alive)),
          read: (...args) => (alive ? store.read(...args) : never),
          write: (write) => (alive ? store.write(write) : never),
          locks: {
            acquire: (sessionId, signal) => keep(locks.acquire(sessionId, signal)),
            take: (sessionId) => keep(locks.take(sessionId)),
            ...(locks.isHeld && { isHeld: locks.isHeld }),
          },
        }),
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

const minute = 60_000;

/** Lets the same time, in ms, pass in tabs, minute by minute, and what follows from it. */
export async function passTime(tabs: readonly Pick<Tab, 'ports'>[], ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= minute) {
    for (const { ports } of tabs) ports.pass(Math.min(left, minute));
    await settled();
  }
}

interface TwoTabsOptions {
  readonly tools?: NonNullable<AgentOptions['tools']>;
  readonly autoResume?: boolean;
  /** Wraps the store of the first tab with a worse one. */
  readonly spoil?: (store: SessionStore) => SessionStore;
}

/** One session in two tabs, each with a client of its own. */
export async function twoTabs({ tools = [], spoil, autoResume = false }: TwoTabsOptions = {}) {
  const browser = createBrowser();
  const [one, other] = [createManualClient(), createManualClient()];
  const first = browser.open({ client: one, tools, autoResume }, spoil);
  const second = browser.open({ client: other, tools, autoResume });
  const id = first.agent.createSession();
  await settled();
  const [a, b] = [await first.agent.openSession(id), await second.agent.openSession(id)];
  return { browser, one, other, first, second, id, a, b };
}
