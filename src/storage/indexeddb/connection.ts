import { AgentError } from '../../core/error.ts';
import { schemaVersion, upgrade } from './schema.ts';
import type { StoreVerbs } from '../verbs.ts';
import { createTables } from './tables.ts';
import { isConnectionLost, toStorageError } from '../storage-errors.ts';

/** One database, opened when it is first needed, and again when the browser took it away. */
export interface Connection {
  /**
   * Runs `work` on the open database, within this very call where it is open already. Where the connection turns out to
   * be lost, `work` runs once more on a new one. Where the browser gives no database at all, it runs on memory.
   *
   * @throws AgentError `STORAGE_BLOCKED`, `STORAGE_UNAVAILABLE`, or what `toStorageError` makes of the work's own
   */
  attempt<T>(work: (tables: StoreVerbs) => Promise<T>): Promise<T>;
  /** Whether memory stands in for the database. */
  isMemory(): boolean;
  /** Lets transactions that have begun come to their end; from here on every attempt is refused. */
  close(): void;
}

/** ms until an open that does not answer is given up: Safari's may never answer. */
const patience = 5_000;
/** An upgrade that has begun gets more: it takes seconds where there are thousands of sessions. */
const upgradePatience = 60_000;

export function createConnection(
  name: string,
  onTrouble: (trouble: AgentError) => void,
  keepRemoved: number,
  tellAfter: number,
): Connection {
  let db: IDBDatabase | undefined;
  let tables: StoreVerbs | undefined;
  /** Stays what it is while an open hangs: whoever comes learns at once that it has been given up. */
  let opening: Promise<StoreVerbs> | undefined;
  let standIn: Promise<StoreVerbs> | undefined;
  let wasOpen = false;
  /** Why every attempt is refused from now on. */
  let refusal: AgentError | undefined;

  async function attempt<T>(work: (tables: StoreVerbs) => Promise<T>, tries = 3): Promise<T> {
    if (refusal) throw refusal;
    let current: StoreVerbs | undefined;
    try {
      // No await where the database is open: a write in `pagehide` has only this call.
      current = tables ?? (await open());
      return await watched(work(current));
    } catch (thrown) {
      const error = toStorageError(thrown, current ? 'STORAGE_FAILED' : 'STORAGE_UNAVAILABLE');
      const lost = isConnectionLost(thrown);
      // After a full disk Firefox refuses everything until the database is opened anew.
      if (current === tables && (lost || error.code === 'QUOTA_EXCEEDED')) drop();
      if (lost && tries > 1) return attempt(work, tries - 1);
      // What this page shows may come from a database that was open: memory cannot go on with that.
      if (wasOpen || refusal || error.code !== 'STORAGE_UNAVAILABLE') throw error;
      return work(await (standIn ??= toMemory(error)));
    }
  }

  /** Nothing takes a transaction back that does not end, and it may end yet: the page can only be told. */
  async function watched<T>(working: Promise<T>): Promise<T> {
    // Two beats: a page that was frozen in the middle has only the first behind it when it wakes up.
    let beats = 0;
    const watchdog = setInterval(() => {
      if (++beats === 2) failed('does not finish what it was asked for in');
    }, tellAfter / 2);
    try {
      return await working;
    } finally {
      clearInterval(watchdog);
    }
  }

  function open(): Promise<StoreVerbs> {
    return (opening ??= new Promise((resolve, reject) => {
      let why = new AgentError(`The browser does not open the database "${name}". Reload the page.`, {
        code: 'STORAGE_UNAVAILABLE',
      });
      const blocked = (): void => {
        const message = `Another tab holds an older version of the database "${name}" open. Close or reload that tab.`;
        tell((why = new AgentError(message, { code: 'STORAGE_BLOCKED' })));
      };
      let watchdog = setTimeout(() => reject(why), patience);
      const upgrading = (): void => {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => reject(why), upgradePatience);
      };
      void Promise.resolve()
        .then(() => openDatabase(blocked, upgrading))
        .then(use)
        .finally(() => {
          clearTimeout(watchdog);
          opening = undefined;
        })
        .then(resolve, reject);
    }));
  }

  function openDatabase(blocked: () => void, upgrading: () => void): Promise<IDBDatabase> {
    const request = indexedDB.open(name, schemaVersion);
    request.addEventListener('blocked', blocked);
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      upgrading();
      if (request.transaction) upgrade(request.result, oldVersion, request.transaction);
    });
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  }

  function use(opened: IDBDatabase): StoreVerbs {
    opened.addEventListener('versionchange', blocking);
    opened.addEventListener('close', terminated);
    const its = createTables(opened, keepRemoved);
    // Too late: the store has been closed, or memory stands in.
    if (refusal || tables) opened.close();
    else {
      db = opened;
      tables = its;
      wasOpen = true;
    }
    return its;
  }

  /** Loaded only now: hardly a page ever needs it. */
  async function toMemory(error: AgentError): Promise<StoreVerbs> {
    try {
      const { createMemoryStore } = await import('../memory.ts');
      // A database that opened meanwhile has what memory would lack.
      if (tables) return tables;
      tables = createMemoryStore();
    } catch {
      standIn = undefined;
      throw error;
    }
    const message = `Nothing can be stored: sessions last only as long as this page. ${error.message}`;
    tell(new AgentError(message, { code: error.code, cause: error }));
    return tables;
  }

  function blocking({ newVersion }: IDBVersionChangeEvent): void {
    // No version: the database is being deleted, and may be made anew.
    if (newVersion === null) return terminated();
    const message = `A newer version of this page needs the database "${name}". Reload this tab.`;
    const outdated = new AgentError(message, { code: 'STORAGE_BLOCKED', retryable: false });
    // Told before it closes, so that a last write that starts in there still goes through.
    tell(outdated);
    drop();
    refusal ??= outdated;
  }

  function terminated(): void {
    drop();
    failed('closed, perhaps because site data were cleared,');
  }

  function failed(how: string): void {
    tell(new AgentError(`The browser ${how} the database "${name}".`, { code: 'STORAGE_FAILED' }));
  }

  function drop(): void {
    db?.close();
    db = tables = undefined;
  }

  function tell(trouble: AgentError): void {
    try {
      onTrouble(trouble);
    } catch {
      // What the page does with the news is none of the database's business.
    }
  }

  return {
    attempt,
    isMemory: () => tables !== undefined && db === undefined,
    close() {
      refusal = new AgentError(`The store "${name}" has been closed.`, { code: 'STORAGE_UNAVAILABLE' });
      drop();
    },
  };
}
