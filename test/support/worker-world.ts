import type { LLMClient, SessionStore, Tool } from 'brooklet';
import type { SessionLock } from 'brooklet/core';
import { defined } from '../../src/core/json.ts';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { filter } from 'rxjs';
import { createConnectedAgent } from '../../src/worker/create-connected-agent.ts';
import type { ConnectedAgent } from '../../src/worker/connected-agent.ts';
import type { ConnectOptions } from '../../src/worker/connect-options.ts';
import { createHost, type Host } from '../../src/worker/create-host.ts';
import type { AgentPlace, SharedAgentOptions } from '../../src/worker/host-options.ts';
import type { Ports } from '../../src/core/ports.ts';
import type { Presence } from '../../src/worker/presence.ts';
import { createManualClient } from './manual-client.ts';

type ManualClient = ReturnType<typeof createManualClient>;

/** A page of the world. */
export interface WorldPage {
  readonly agent: ConnectedAgent;
  /** Asked where this page drives itself. */
  readonly client: ManualClient;
  /** Closes the page at once, as a browser does. */
  kill(): void;
  /** Closes the page as a reload does: it hears of it, and has no turn of its own afterwards. */
  leave(): void;
}

/** Pages and a shared worker in one process: a store, locks that end with their holder, and ports. */
export interface WorkerWorld {
  readonly store: SessionStore;
  /** Requests of all workers, in their order. */
  readonly client: ManualClient;
  /** How many workers have been started. */
  readonly workers: () => number;
  openPage(options?: PageOptions): WorldPage;
  /** Ends the worker at once; the next connection starts another one. */
  killWorker(): void;
  /** From now on pages start another worker; the one before goes on. */
  deploy(): void;
}

interface PageOptions extends Partial<Omit<ConnectOptions, 'create'>> {
  /** In the place of the function that starts the worker. */
  readonly connect?: () => MessagePort;
  /** Returns what the page has in the place of its port. */
  readonly through?: (port: MessagePort) => MessagePort;
}

interface WorldOptions {
  readonly agent?: Partial<Omit<SharedAgentOptions, 'store' | 'client'>>;
  /** The client of the worker, which may use keys. Default: one that the test answers by hand. */
  readonly clientOf?: (place: AgentPlace) => LLMClient;
  /** Returns whether the key of the client is locked, as the client of a place states it. */
  readonly lockedOf?: (place: AgentPlace) => LLMClient['locked$'];
  /** Returns the vault of a place. */
  readonly vaultOf?: (place: AgentPlace) => NonNullable<SharedAgentOptions['vault']>;
  /** Tools of the worker. */
  readonly tools?: readonly Tool[];
  readonly pageTimeout?: number;
  /** In the place of those of the browser, for the worker and the pages. */
  readonly ports?: Partial<Ports>;
}

/** What lives: its store, its locks and its names end with it. */
function createLife() {
  let isAlive = true;
  const ends = new Set<() => void>();
  return {
    isAlive: () => isAlive,
    atEnd: (end: () => void) => void (isAlive ? ends.add(end) : end()),
    end() {
      isAlive = false;
      for (const one of ends) one();
    },
  };
}

export function createWorkerWorld(options: WorldOptions = {}): WorkerWorld {
  const { clientOf, lockedOf, vaultOf, tools = [], pageTimeout, ports } = options;
  const store = createMemoryStore();
  const locks = createSessionLocks();
  const client = createManualClient();
  const names = new Map<string, Promise<void>>();
  let host: { readonly host: Host; readonly life: ReturnType<typeof createLife> } | undefined;
  let workers = 0;
  const never = new Promise<never>(() => {});

  function storeOf(life: ReturnType<typeof createLife>): SessionStore {
    const keep = async (acquired: Promise<SessionLock>): Promise<SessionLock> => {
      const lock = await acquired;
      life.atEnd(lock.release);
      return lock;
    };
    return {
      ...store,
      isPersistent: () => true,
      changes$: store.changes$.pipe(filter(life.isAlive)),
      read: (...args) => (life.isAlive() ? store.read(...args) : never),
      write: (write) => (life.isAlive() ? store.write(write) : never),
      locks: {
        acquire: (sessionId, signal) => keep(locks.acquire(sessionId, signal)),
        take: (sessionId) => keep(locks.take(sessionId)),
        ...(locks.isHeld && { isHeld: locks.isHeld }),
      },
    };
  }

  const presenceOf = (life: ReturnType<typeof createLife>): Presence => ({
    async hold(name, signal) {
      names.set(
        name,
        new Promise((resolve) => {
          life.atEnd(resolve);
          signal.addEventListener('abort', () => resolve());
        }),
      );
    },
    async whenGone(name, signal) {
      await (names.get(name) ?? never);
      if (signal.aborted) await never;
    },
  });

  const createFor =
    (life: ReturnType<typeof createLife>, ofPage: LLMClient) =>
    (place: AgentPlace): SharedAgentOptions => ({
      ...options.agent,
      ...(vaultOf && { vault: vaultOf(place) }),
      client: {
        ...(place.where === 'page' ? ofPage : (clientOf?.(place) ?? client)),
        ...defined({ locked$: lockedOf?.(place) }),
      },
      store: storeOf(life),
      tools,
    });

  function connect(): MessagePort {
    if (host === undefined) {
      const life = createLife();
      workers++;
      const presence = presenceOf(life);
      const its = createHost(createFor(life, client), pageTimeout === undefined ? {} : { pageTimeout }, {
        presence,
        ports,
      });
      host = { host: its, life };
    }
    const { port1, port2 } = new MessageChannel();
    host.life.atEnd(() => port1.close());
    host.host.accept(port1);
    return port2;
  }

  return {
    store,
    client,
    workers: () => workers,
    openPage({ connect: own, through = (port: MessagePort) => port, ...given } = {}) {
      const life = createLife();
      const ofPage = createManualClient();
      const hides = new Set<Parameters<Ports['onHide']>[0]>();
      const onHide: Ports['onHide'] = (hide) => {
        hides.add(hide);
        return () => void hides.delete(hide);
      };
      const agent = createConnectedAgent(
        () => {
          const port = through((own ?? connect)());
          life.atEnd(() => port.close());
          return port;
        },
        { ...given, create: createFor(life, ofPage) },
        { presence: presenceOf(life), isExtended: false, ports: { ...ports, onHide } },
      );
      const leave = (): void => {
        for (const hide of hides) hide(true);
        life.end();
      };
      return { agent, client: ofPage, kill: life.end, leave };
    },
    deploy: () => (host = undefined),
    killWorker() {
      const ended = host;
      host = undefined;
      ended?.life.end();
    },
  };
}
