import { AgentError } from '../../core/error.ts';
import { isConnectionLost, toStorageError } from '../storage-errors.ts';
import { delegateVerbs, type StoreVerbs } from '../verbs.ts';
import { createDisk } from '../disk.ts';
import { createPageLife, missedOpening } from '../page-life.ts';
import { openDatabase } from './open-database.ts';
import type { Database, SessionDisk } from './schema.ts';

/**
 * The verbs on one database, which is opened when a verb first needs it and again when the browser took it away. A verb
 * starts within its call where the database is open, and runs again, three times at most, where the connection turns
 * out to be lost.
 *
 * Each verb rejects with `STORAGE_BLOCKED`, `STORAGE_UNAVAILABLE`, or the error that `toStorageError` makes.
 */
export interface Connection extends StoreVerbs {
  /** Whether the database has never been open, and the store is not closed. */
  isUnopened(): boolean;
  /** Lets transactions finish that have begun; every later verb is refused. */
  close(): void;
}

export interface ConnectionOptions {
  /** Name of the database. */
  readonly name: string;
  /** ms for which a removal can be restored. */
  readonly undoWindow: number;
  /** ms after which a verb that does not finish causes a warning. */
  readonly slowAfter: number;
  /** Returns the verbs on an open database. */
  readonly createVerbs: (disk: SessionDisk, undoWindow: number) => StoreVerbs;
  /** Must not throw. */
  readonly warn: (warning: AgentError) => void;
}

type Closed = 'unopened' | 'lost';

type Phase =
  /** The next verb opens the database. `lost`: the database has been open before. */
  | { readonly is: Closed }
  /** `verbs` rejects when the browser takes too long; the phase stays until the browser answers, so that later verbs are refused at once. */
  | { readonly is: 'opening'; readonly from: Closed; readonly verbs: Promise<StoreVerbs> }
  | { readonly is: 'open'; readonly db: Database; readonly verbs: StoreVerbs }
  /** Final: the page closed the store, or a newer version of the page needs the database. */
  | { readonly is: 'refused'; readonly error: AgentError };

const maxTries = 3;

export function createConnection({ name, undoWindow, slowAfter, createVerbs, warn }: ConnectionOptions): Connection {
  const page = createPageLife();
  let phase: Phase = { is: 'unopened' };
  /** The disk was full at the last failure. What the browser reports afterwards (`UnknownError`, `AbortError`) does not say so. */
  let full: AgentError | undefined;

  async function attempt<T>(verb: (verbs: StoreVerbs) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      let verbs: StoreVerbs | undefined;
      try {
        // No `await` where the database is open: a write in `pagehide` has only this call.
        verbs = phase.is === 'open' ? phase.verbs : await whenOpen();
        const result = await withSlowWarning(verb(verbs), slowAfter, () =>
          warnOfFailure('does not finish a request to'),
        );
        full = undefined;
        return result;
      } catch (thrown) {
        const error = toStorageError(thrown, verbs ? 'STORAGE_FAILED' : 'STORAGE_UNAVAILABLE');
        const isLost = isConnectionLost(thrown);
        if (error.code === 'QUOTA_EXCEEDED') full = error;
        // After a full disk Firefox refuses everything until the database is opened again.
        if (phase.is === 'open' && phase.verbs === verbs && (isLost || error.code === 'QUOTA_EXCEEDED')) drop(phase.db);
        if (!isLost || tries === maxTries) throw (isLost && full) || error;
      }
    }
  }

  function whenOpen(): Promise<StoreVerbs> {
    switch (phase.is) {
      case 'unopened':
      case 'lost':
        return open(phase.is);
      case 'opening':
        return phase.verbs;
      case 'open':
        return Promise.resolve(phase.verbs);
      case 'refused':
        return Promise.reject(phase.error);
    }
  }

  function open(from: Closed): Promise<StoreVerbs> {
    const { database, timeout } = openDatabase(name, warn);
    const isAwaited = (): boolean => phase.is === 'opening' && phase.verbs === verbs;
    const giveUp = (): void => {
      if (isAwaited()) phase = { is: from };
    };
    const opened = database.then(
      (db) => {
        if (isAwaited() || phase.is === 'unopened' || phase.is === 'lost') return use(db);
        // Too late: the store was closed meanwhile, or has opened the database again.
        db.close();
        return whenOpen();
      },
      (thrown: unknown) => {
        giveUp();
        throw thrown;
      },
    );
    const missed = missedOpening(page, database);
    // Before the race: the next attempt opens the database again.
    missed.catch(giveUp);
    const verbs: Promise<StoreVerbs> = Promise.race([opened, timeout, missed]);
    phase = { is: 'opening', from, verbs };
    return verbs;
  }

  function use(db: Database): StoreVerbs {
    db.addEventListener('versionchange', ({ newVersion }) => makeWay(db, newVersion));
    db.addEventListener('close', () => terminated(db));
    const verbs = createVerbs(createDisk(db, page), undoWindow);
    phase = { is: 'open', db, verbs };
    return verbs;
  }

  /** Another connection upgrades the database or deletes it, and waits until this one is closed. */
  function makeWay(db: Database, newVersion: number | null): void {
    // Deleted, not upgraded: the database may be created again.
    if (newVersion === null) return terminated(db);
    const message = `A newer version of this page needs the database "${name}". Reload this tab.`;
    const outdated = new AgentError(message, { code: 'STORAGE_BLOCKED', retryable: false });
    // Before the close, so that a last write that starts in the callback is still stored.
    warn(outdated);
    drop(db);
    if (phase.is !== 'refused') phase = { is: 'refused', error: outdated };
  }

  function terminated(db: Database): void {
    drop(db);
    warnOfFailure('closed, perhaps with its site data,');
  }

  function drop(db: Database): void {
    db.close();
    if (phase.is === 'open' && phase.db === db) phase = { is: 'lost' };
  }

  function warnOfFailure(how: string): void {
    warn(new AgentError(`The browser ${how} the database "${name}".`, { code: 'STORAGE_FAILED' }));
  }

  return {
    ...delegateVerbs(attempt),
    isUnopened: () => phase.is === 'unopened' || (phase.is === 'opening' && phase.from === 'unopened'),
    close() {
      page.close();
      if (phase.is === 'open') phase.db.close();
      const message = `The store "${name}" has been closed. Create another one with createIndexedDBStore.`;
      phase = { is: 'refused', error: new AgentError(message, { code: 'STORAGE_UNAVAILABLE' }) };
    },
  };
}

/** Calls `warn` once where `working` takes longer than `ms`, and still waits: a transaction cannot be taken back, and may yet finish. */
async function withSlowWarning<T>(working: Promise<T>, ms: number, warn: () => void): Promise<T> {
  // Two intervals: a page that was frozen in between has only the first one behind it when the page wakes up.
  let intervals = 0;
  const timer = setInterval(() => {
    if (++intervals === 2) warn();
  }, ms / 2);
  try {
    return await working;
  } finally {
    clearInterval(timer);
  }
}
