import { AgentError, type SessionStore } from 'brooklet';
import { BehaviorSubject, filter, type Observable, Subject } from 'rxjs';
import type { Device } from '../../simulation/device.ts';
import type { Random } from '../../simulation/random.ts';
import type { VirtualTime } from '../../simulation/virtual-time.ts';
import { noted } from './noted.ts';

/**
 * A fault of one request. `refused`: not performed. `lost`: performed, and reported as failed. `late`: performed at once, and answered after
 * a minute. `delayed`: reported as failed, and performed many seconds later.
 */
export type WireFault = 'refused' | 'lost' | 'late' | 'delayed';

/** The connection of one profile to the engine that all profiles share. */
export interface Wire {
  /** Returns the engine as a tab reaches it. */
  connect(device: Device): SessionStore & { readonly online$: Observable<boolean> };
  cut(): void;
  mend(): void;
  /** Sets the faults of the next requests, one each. */
  arm(faults: readonly WireFault[]): void;
  /** Ends every fault. */
  heal(): void;
}

export function createWire(
  engine: SessionStore,
  {
    time,
    random,
    note,
  }: { readonly time: VirtualTime; readonly random: Random; readonly note: (line: string) => void },
): Wire {
  const online$ = new BehaviorSubject(true);
  let armed: readonly WireFault[] = [];
  /** Ids of changed sessions, while the wire is whole. */
  const heard = new Subject<string>();
  engine.changes$.subscribe((id) => {
    if (online$.value) time.after(latency(), () => heard.next(id));
  });

  function latency(): number {
    return random.oneOf([1, 3, 10, 40, 200]);
  }

  function connect(device: Device): ReturnType<Wire['connect']> {
    function send<T>(work: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const [fault, ...rest] = armed;
        armed = rest;
        const fail = (): void =>
          void device.schedule(latency(), () => reject(new AgentError('The wire is cut.', { code: 'STORAGE_FAILED' })));
        if (!online$.value || fault === 'refused') {
          // A dead connection answers nothing, or tells at once.
          if (random.chance(0.7)) fail();
          return;
        }
        if (fault === 'delayed') fail();
        time.after(fault === 'delayed' ? random.between(2_000, 40_000) : latency(), () => {
          if (!online$.value && fault !== 'delayed') return fail();
          const answer = (settle: () => void): void => {
            if (fault === 'delayed') return;
            if (fault === 'lost' || !online$.value) return fail();
            device.schedule(fault === 'late' ? 60_000 : latency(), settle);
          };
          work().then(
            (value) => answer(() => resolve(value)),
            (error: unknown) => answer(() => reject(error)),
          );
        });
      });
    }

    return {
      online$: online$.pipe(filter(() => device.isAlive())),
      changes$: heard.pipe(filter(() => device.isAlive())),
      list: (options) => send(() => engine.list(options)),
      read: (id, options) => send(() => engine.read(id, options)),
      write: (write) => send(() => noted(`${device.name} sends`, write, engine, note)),
      remove: (id) => send(() => engine.remove(id)),
      wasRemoved: (id) => send(async () => (await engine.wasRemoved?.(id)) ?? false),
      close() {},
    };
  }

  return {
    connect,
    cut: () => online$.next(false),
    mend: () => online$.next(true),
    arm: (faults) => void (armed = faults),
    heal() {
      armed = [];
      online$.next(true);
    },
  };
}
