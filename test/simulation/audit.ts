import type { SessionEvent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { findLoss } from '../support/normal-log.ts';
import type { Engine } from '../support/engine-profiles/index.ts';
import { createDevice, type Device } from './device.ts';
import type { VirtualGlobals } from './virtual-globals.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Name of the database that the tabs of a simulation share. */
export const databaseName = 'simulation';

/** Looks at the database from a page that nothing happens to. */
export interface Audit {
  /** Resolves with the stored events of a session. What was acknowledged and is not there is a violation, and so is a session that the list has lost. */
  look(sessionId: string, acknowledged: () => readonly SessionEvent[]): Promise<readonly SessionEvent[]>;
  /** Looks whether a write over all tables ends. @param when for the violation */
  probe(when: string): void;
}

/** ms for a transaction that waits for others: those of pages that are shown take some dozens. */
const longestWait = 5_000;

export function createAudit(
  engine: Engine,
  {
    time,
    globals,
    pages,
  }: {
    readonly time: VirtualTime;
    readonly globals: VirtualGlobals;
    /** Where the audit's own database is entered. */
    readonly pages: WeakMap<Device, IDBFactory>;
  },
  problems: string[],
): Audit {
  const page = engine.open({ enter: (task) => globals.enter(device, task) });
  const device = createDevice('audit', time, { page, enter: globals.enter });
  pages.set(device, page.indexedDB);
  const listed = new Set<string>();
  let store: ReturnType<typeof createIndexedDBStore> | undefined;
  let raw: IDBDatabase | undefined;

  device.enter(() => {
    store = createIndexedDBStore({ name: databaseName });
    // Opens the database, so that every later look begins within its call.
    void store.read('').then(() => {
      const request = page.indexedDB.open(databaseName);
      request.addEventListener('success', () => (raw = request.result));
    });
  });

  async function checkList(): Promise<void> {
    const { sessions = [] } = (await store?.list({ limit: 1_000 })) ?? {};
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of listed) if (!ids.has(id)) problems.push(`session ${id} was listed, and is lost`);
    for (const id of ids) listed.add(id);
  }

  return {
    look: (sessionId, acknowledged) =>
      new Promise((resolve) => {
        device.enter(() => {
          const known = acknowledged();
          const look = async (): Promise<void> => {
            const list = checkList();
            const { events = [] } = (await store?.read(sessionId)) ?? {};
            const loss = findLoss(known, events);
            if (loss !== undefined) problems.push(`acknowledged and lost: ${loss}`);
            await list;
            resolve(events);
          };
          look().catch((thrown: unknown) => problems.push(`a look at the database failed: ${String(thrown)}`));
        });
      }),
    probe(when) {
      device.enter(() => {
        if (raw === undefined) return;
        const transaction = raw.transaction([...raw.objectStoreNames], 'readwrite');
        for (const name of raw.objectStoreNames) transaction.objectStore(name).count();
        transaction.commit();
        const late = time.after(longestWait, () => problems.push(`${when}, a write does not end`));
        for (const end of ['complete', 'abort']) transaction.addEventListener(end, late);
      });
    },
  };
}
