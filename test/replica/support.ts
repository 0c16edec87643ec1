import { AgentError, createAgent, type SessionStore } from 'brooklet';
import {
  createRemote,
  createSyncedStore,
  type ForkNotice,
  type SyncedStoreOptions,
  type SyncedStore,
  type SyncProblem,
} from 'brooklet/sync';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, type Script } from 'brooklet/testing';
import { BehaviorSubject } from 'rxjs';
import { createPay } from '../support/create-pay.ts';

type MemoryStore = ReturnType<typeof createMemoryStore>;

/** One device: its own store, its replica, and a connection that can be cut. */
export interface Device {
  readonly local: MemoryStore;
  readonly store: Omit<SyncedStore, 'connect' | 'disconnect'>;
  readonly agent: ReturnType<typeof createAgent>;
  readonly forks: ForkNotice[];
  readonly troubles: SyncProblem[];
  /** The calls whose tool has acted on this device. */
  readonly ran: string[];
  connect(isOnline: boolean): void;
}

/** Options of a synced store of any version. */
export interface CreateOptions extends Omit<SyncedStoreOptions, 'remote'> {
  readonly remote: SessionStore;
}

/** Creates a synced store of the present version. */
export const createStore = ({ remote, ...options }: CreateOptions): SyncedStore =>
  createSyncedStore({ ...options, remote: createRemote(remote) });

export interface DeviceOptions extends Partial<Omit<CreateOptions, 'local'>> {
  /** Answers of the model, in their order. */
  readonly answers?: readonly Script[];
  /** Local store, for a device with several tabs. Default: one of its own. */
  readonly local?: MemoryStore;
  /** Creates the synced store. Default: the present version. */
  readonly create?: (options: CreateOptions) => Device['store'];
}

/** Creates a device over an engine that several devices share. */
export function createDevice(
  device: string,
  engine: SessionStore,
  { answers = [], local = createMemoryStore(), create = createStore, ...options }: DeviceOptions = {},
): Device {
  const online$ = new BehaviorSubject(true);
  const forks: ForkNotice[] = [];
  const troubles: SyncProblem[] = [];
  const ran: string[] = [];
  const reach = async (): Promise<void> => {
    if (!online$.value) throw new AgentError('The wire is cut.', { code: 'STORAGE_FAILED' });
  };
  const remote: SessionStore = {
    ...engine,
    list: (list) => reach().then(() => engine.list(list)),
    read: (id, read) => reach().then(() => engine.read(id, read)),
    write: (write) => reach().then(() => engine.write(write)),
    remove: (id) => reach().then(() => engine.remove(id)),
    close() {},
  };
  const store = create({
    local,
    remote,
    device,
    online$,
    onFork: (fork) => void forks.push(fork),
    onTrouble: (trouble) => void troubles.push(trouble),
    ...options,
  });
  const pay = createPay(ran);
  const agent = createAgent({ client: createScriptedClient(answers), tools: [pay], store });
  return { local, store, agent, forks, troubles, ran, connect: (isOnline) => online$.next(isOnline) };
}

/** Brings devices in step, one after the other, until each has what the others have. */
export async function syncAll(...devices: readonly Device[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const { store } of devices) await store.sync();
}
