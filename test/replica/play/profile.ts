import type { SessionStore } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { filter } from 'rxjs';
import { noted } from './noted.ts';
import { createLocks } from '../../simulation/locks.ts';
import type { EngineName } from '../../support/engine-profiles/index.ts';
import type { Device } from '../../simulation/device.ts';
import type { Random } from '../../simulation/random.ts';
import type { VirtualTime } from '../../simulation/virtual-time.ts';
import type { VirtualGlobals } from '../../simulation/virtual-globals.ts';

/** What one device keeps when its tabs end: its store, and its locks. */
export interface Profile {
  readonly name: string;
  /** The store itself, without delays. */
  readonly disk: SessionStore;
  /** Returns the store as a tab reaches it. A tab that ends hears no answer, and what it has sent is stored or not. */
  attach(device: Device): SessionStore;
}

export function createProfile(
  name: string,
  {
    time,
    random,
    globals,
    note,
    engine,
  }: {
    readonly time: VirtualTime;
    readonly random: Random;
    readonly globals: VirtualGlobals;
    readonly note: (line: string) => void;
    /** WebKit drops what a page writes while it is left. */
    readonly engine: EngineName;
  },
): Profile {
  const disk = createMemoryStore();
  const locks = createLocks(() => random.between(0, 3));

  function attach(device: Device): SessionStore {
    let last = 0;

    function send<T>(work: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        // Requests of one tab arrive in their order.
        last = Math.max(last, time.now() + random.between(0, 3));
        const isLost = (): boolean => !device.isAlive() && !device.isLeaving() && random.chance(0.5);
        time.after(last - time.now(), () => {
          if (isLost()) return;
          work().then(
            (value) => void device.schedule(random.between(0, 3), () => resolve(value)),
            (error: unknown) => void device.schedule(random.between(0, 3), () => reject(error)),
          );
        });
      });
    }

    globals.navigator = { locks: locks.connect(device) };
    return {
      locks: createSessionLocks(name),
      changes$: disk.changes$.pipe(filter(() => device.isAlive())),
      list: (options) => send(() => disk.list(options)),
      read: (id, options) => send(() => disk.read(id, options)),
      write: (write) =>
        engine === 'webkit' && device.isLeaving()
          ? new Promise(() => {})
          : send(() => noted(`${device.name} stores`, write, disk, note)),
      remove: (id) => send(() => disk.remove(id)),
      restore: (id) => send(() => disk.restore(id)),
      wasRemoved: (id) => send(() => disk.wasRemoved(id)),
      meta: {
        get: (key) => send(() => disk.meta.get(key)),
        update: (key, change) => send(() => disk.meta.update(key, change)),
      },
      close() {},
    };
  }

  return { name, disk, attach };
}
