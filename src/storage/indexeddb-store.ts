import { named } from '../core/model/shapes/named.ts';
import { type AgentError, fail } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createChanges } from './changes.ts';
import type { StoreCodec } from './store-codec.ts';
import { createDatabaseStore } from './indexeddb/database-store.ts';
import type { FallbackStore } from './indexeddb/memory-fallback.ts';
import { readLatestEvents } from './latest-events.ts';
import { createWebLocks } from './lock.ts';
import { delegateVerbs, type StoreVerbs } from './verbs.ts';

/** Options of `createIndexedDBStore`, all optional. */
export interface IndexedDBStoreOptions {
  /** Name of the database. Default `brooklet`. */
  readonly name?: string;
  /**
   * Called with what the page should show although no verb rejects: the browser opens no database, and memory replaces
   * it (`STORAGE_UNAVAILABLE`); another tab blocks the upgrade or needs a newer version (`STORAGE_BLOCKED`); the browser
   * took the database away, or does not finish a request (`STORAGE_FAILED`).
   */
  readonly onWarning?: (warning: AgentError) => void;
  /** ms for which `restore` can undo a removal; afterwards the session is erased from the disk. Default 10 minutes; 0: erased at once. */
  readonly undoWindow?: number;
  /** ms after which `onWarning` is called for a request that the browser does not finish; the store keeps waiting for it. Default 30 s. */
  readonly slowAfter?: number;
  /**
   * Encrypts sessions on the disk, for example with `createVaultCodec` of `brooklet/encryption`. Sessions that were stored without it can be read, and are
   * encrypted with their next writes. Without its key, verbs reject with `STORAGE_LOCKED`.
   */
  readonly codec?: StoreCodec;
}

/** The longest timer of a browser, in ms. */
const longestTimer = 2 ** 31 - 1;

/**
 * Creates a store that keeps sessions in IndexedDB. The first verb opens the database. If the browser does not open it
 * (private mode, storage blocked, no IndexedDB), the store keeps sessions in memory for as long as the page lives.
 *
 * A write starts within its call, also in `pagehide`. With a codec, verbs wait until the codec is there, and reject with its error.
 *
 * @throws AgentError `INVALID_CONFIG` for an empty name or a time out of range
 * @example
 * const store = createIndexedDBStore({ name: 'my-app', onWarning: (warning) => show(warning.message) });
 */
export function createIndexedDBStore(options: IndexedDBStoreOptions = {}): SessionStore {
  const {
    name = 'brooklet',
    onWarning = () => {},
    undoWindow = 600_000,
    slowAfter = 30_000,
    codec,
  } = named(
    options,
    { name: true, onWarning: true, undoWindow: true, slowAfter: true, codec: true },
    'createIndexedDBStore',
  );
  if (name === '') fail('INVALID_CONFIG', 'The name of the database is empty: pass `name`, or leave it out.');
  if (!(undoWindow >= 0)) fail('INVALID_CONFIG', `undoWindow is ${undoWindow}: pass ms from 0 up.`);
  if (!(slowAfter > 0 && slowAfter <= longestTimer))
    fail('INVALID_CONFIG', `slowAfter is ${slowAfter}: pass ms above 0, ${longestTimer} at most.`);

  const erasure = createErasure();
  const changes = createChanges(name, () => void forget());
  const locks = createWebLocks(name);
  const databaseOptions = { name, onWarning, undoWindow, slowAfter };
  let database: FallbackStore | undefined = codec ? undefined : createDatabaseStore(databaseOptions);
  let isClosed = false;

  async function load(): Promise<FallbackStore> {
    const sealed = await codec?.load();
    return (database ??= (sealed?.createDatabaseStore ?? createDatabaseStore)(databaseOptions));
  }

  async function call<T>(verb: (verbs: StoreVerbs) => Promise<T>): Promise<T> {
    // Before anything is read: an erasure concerns all that this page has of the database.
    changes.listen();
    // No `await` once the database is there: a write in `pagehide` has only this call.
    if (database) return verb(database);
    if (isClosed) fail('STORAGE_UNAVAILABLE', `The store "${name}" has been closed.`);
    return verb(await load());
  }

  /** A person erases everything: what memory has in the place of the database, too. */
  async function forget(): Promise<void> {
    erasure.begin();
    if (!database?.isMemory()) return;
    const ids: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await database.list({ children: true, ...defined({ cursor }) });
      ids.push(...page.sessions.map(({ id }) => id));
      cursor = page.cursor;
    }
    await Promise.all(ids.map((id) => notifyIfChanged(id, verbs.remove(id))));
  }

  async function notifyIfChanged(sessionId: string, changing: Promise<boolean>): Promise<boolean> {
    const isChanged = await changing;
    if (isChanged) changes.notify(sessionId);
    return isChanged;
  }

  // A failure is reported by the verb that needs the codec.
  load().catch(() => {});

  const verbs = delegateVerbs(call);
  return {
    ...verbs,
    changes$: changes.changes$,
    ...(locks && { locks }),
    readLatest: (sessionId) => readLatestEvents(sessionId, verbs.read),
    wasErased: erasure.concerns,
    isPersistent: () => !database?.isMemory(),
    async write(write) {
      if (write.expectedSeq === 0) erasure.noteBegun(write.sessionId);
      const written = verbs.write(write);
      changes.announce(write.sessionId);
      await written;
      changes.notify(write.sessionId);
    },
    remove: (sessionId) => notifyIfChanged(sessionId, verbs.remove(sessionId)),
    restore: (sessionId) => notifyIfChanged(sessionId, verbs.restore(sessionId)),
    close() {
      if (database) database.close();
      // After the verbs that wait for the same codec.
      else if (!isClosed)
        load().then(
          (loaded) => loaded.close(),
          () => {},
        );
      isClosed = true;
      changes.close();
    },
  };
}

/** What a store knows of an erasure by a person (`eraseEverything`): which sessions are of the time before it. */
interface Erasure {
  /** Everything that is stored is being erased. */
  begin(): void;
  /** Notes the first write of a session: the session is of the time after an erasure that has begun. */
  noteBegun(sessionId: string): void;
  /** Whether a session that is no longer stored is of the time before an erasure, as far as this page knows. */
  concerns(sessionId: string): boolean;
}

function createErasure(): Erasure {
  /** The sessions that this page began since the last erasure; `undefined` where there was none. A read proves nothing: it may have begun before. */
  let since: Set<string> | undefined;
  return {
    begin: () => void (since = new Set()),
    noteBegun: (sessionId) => void since?.add(sessionId),
    concerns: (sessionId) => since !== undefined && !since.has(sessionId),
  };
}
