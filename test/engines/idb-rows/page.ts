/** What the raw pages of these rows need of a window. `globalThis` of a page is one; an engine profile (test/support/engine-profiles) makes others. */
export interface RowWindow {
  readonly indexedDB: IDBFactory;
  addEventListener(type: string, listener: () => void): void;
  setTimeout(task: () => void, ms: number): unknown;
}

/** How a transaction replaces one state of the database by the next one. */
export type Form =
  /** Deletes the old rows, then adds the new ones. */
  | 'delete, add'
  /** Adds and puts the new rows, then deletes the old one. */
  | 'add, delete'
  /** Puts rows over the old ones. */
  | 'put'
  /** Deletes the old rows. */
  | 'delete'
  /** Adds a row that names the write it follows, under a unique index, and puts the others. */
  | 'chain'
  /** Puts the old fence without the value that is unique, adds the new one with it, and puts the others. */
  | 'fence'
  /** Reads, compares, and puts in the callback. */
  | 'read, put'
  /** Reads alone: several requests, one of them in a callback. */
  | 'read';

/** What is in the database. */
export type State =
  /** Nothing. */
  | 'gone'
  /** The rows without the row that all others are found by. */
  | 'head gone'
  /** The state before the write in question. */
  | 'old'
  /** The state after it. */
  | 'new'
  /** The state after one of the writes of a stream. */
  | 'whole'
  /** Parts of two states. */
  | 'torn'
  /** A read did not end. */
  | 'blocked'
  /** A write after the read did not end. */
  | 'write blocked';

/** When the transactions of a row begin: again and again until the page is left, or in an event of its leaving. */
type Moment = 'stream' | 'beforeunload' | 'pagehide' | 'visibilitychange' | 'unload';

/** What a page does before it is left. */
export interface Setup {
  readonly form: Form;
  /** Whether `commit()` is called after the last request. */
  readonly commits: boolean;
  readonly moment: Moment;
  /** Whether every transaction without `commit()` is aborted in `pagehide`. */
  readonly aborts?: boolean;
  /** Whether `pagehide` begins a last transaction of puts with `commit()`, beside the stream. */
  readonly last?: boolean;
}

/** What a page has heard of the transaction that it began in an event of its leaving. */
export type Heard = 'nothing' | 'complete' | 'abort' | 'complete, although requests have failed';

/** A page with one database. */
export interface RowPage {
  /** Writes the first state, and arms or begins the transactions of a row. The page is left afterwards. */
  prepare(setup: Setup): Promise<void>;
  /** Returns what is in the database, and whether a write ends. @param ms after which a transaction counts as blocked */
  look(ms: number): Promise<State>;
  /** Returns what this page has heard, for a page that was left and has come back. */
  heard(): Heard;
}

const stores = ['heads', 'rows', 'chain', 'fences'];
/** Rows of one state beside its head. */
const count = 8;
/** Number of the state that `seed` writes. */
const first = 1;

/**
 * Creates a page over the database `name`.
 *
 * @param size characters of a row: a stream of small rows is seldom in the middle of a write when its page is left
 */
export function createRowPage(window: RowWindow, name: string, size = 20_000): RowPage {
  const big = 'x'.repeat(size);
  let heard: Heard = 'nothing';
  let database: IDBDatabase | undefined;
  /** Transactions that have not ended, on which `commit` was not called. */
  const open = new Set<IDBTransaction>();

  function begin(mode: IDBTransactionMode): IDBTransaction {
    if (database === undefined) throw new Error('The database is not open.');
    const transaction = database.transaction(stores, mode, { durability: 'relaxed' });
    open.add(transaction);
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => open.delete(transaction));
    return transaction;
  }

  function commit(transaction: IDBTransaction): void {
    open.delete(transaction);
    transaction.commit();
  }

  /** Requests that replace state n - 1 by state n. */
  function replace(transaction: IDBTransaction, form: Form, n: number, commits: boolean): void {
    const [heads, rows, chain, fences] = stores.map((store) => transaction.objectStore(store));
    if (!heads || !rows || !chain || !fences) return;
    const keys = Array.from({ length: count }, (_, key) => key);
    const put = (): void => {
      heads.put({ n }, 'head');
      for (const key of keys) rows.put({ n, big }, key);
    };
    switch (form) {
      case 'delete, add':
        heads.delete(`head ${n - 1}`);
        heads.add({ n }, `head ${n}`);
        for (const key of keys) {
          rows.delete(key);
          rows.add({ n, big }, key);
        }
        break;
      case 'add, delete':
        heads.add({ n }, `head ${n}`);
        for (const key of keys) rows.put({ n, big }, key);
        heads.delete(`head ${n - 1}`);
        break;
      case 'delete':
        heads.delete(`head ${n - 1}`);
        for (const key of keys) rows.delete(key);
        break;
      case 'put':
        put();
        break;
      case 'chain':
        chain.add({ n, after: n - 1 }, n);
        put();
        break;
      case 'fence':
        if (n > first) fences.put(null, ['id', n - 1]);
        fences.add('id', ['id', n]);
        put();
        break;
      case 'read, put':
        heads.get('head').addEventListener('success', () => {
          put();
          if (commits) commit(transaction);
        });
        return;
      case 'read':
        heads.getAll();
        rows.getAll().addEventListener('success', () => rows.getAll());
        return;
    }
    if (commits) commit(transaction);
  }

  function describe(rows: readonly unknown[][]): State {
    const [heads = [], texts = [], links = [], tokens = []] = rows.map((all) => all.map(numberOf));
    const all = new Set([...heads, ...texts, ...links.slice(-1), ...tokens]);
    const isWhole = heads.length === 1 && texts.length === count && tokens.length <= 1 && all.size === 1;
    if (isWhole && links.every((n, index) => n === index + first)) {
      if (all.has(first)) return 'old';
      return all.has(first + 1) ? 'new' : 'whole';
    }
    if (heads.length + texts.length === 0) return 'gone';
    return heads.length === 0 && texts.length === count && new Set(texts).size === 1 ? 'head gone' : 'torn';
  }

  /** Resolves with `late` where a transaction does not end in time. */
  function within<T>(ms: number, transaction: IDBTransaction, late: T): Promise<T | 'ended'> {
    return new Promise((resolve) => {
      for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => resolve('ended'));
      window.setTimeout(() => resolve(late), ms);
    });
  }

  function openDatabase(): Promise<void> {
    if (database) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const request = window.indexedDB.open(name, 1);
      request.addEventListener('upgradeneeded', () => {
        for (const store of ['heads', 'rows']) request.result.createObjectStore(store);
        request.result.createObjectStore('chain').createIndex('after', 'after', { unique: true });
        request.result.createObjectStore('fences').createIndex('id', '', { unique: true });
      });
      request.addEventListener('success', () => {
        database = request.result;
        resolve();
      });
      request.addEventListener('error', () => reject(request.error));
    });
  }

  /** Writes the first state in the form that the row's transaction replaces. */
  async function seed(form: Form): Promise<void> {
    const transaction = begin('readwrite');
    for (const store of stores) transaction.objectStore(store).clear();
    const forms: Partial<Record<Form, Form>> = { delete: 'delete, add', read: 'put', 'read, put': 'put' };
    replace(transaction, forms[form] ?? form, first, false);
    await within(60_000, transaction, 'late');
  }

  const modeOf = (form: Form): IDBTransactionMode => (form === 'read' ? 'readonly' : 'readwrite');

  function arm(event: string, form: Form, commits: boolean): void {
    window.addEventListener(event, () => {
      const transaction = begin(modeOf(form));
      let hasFailed = false;
      transaction.addEventListener('error', () => (hasFailed = true));
      transaction.addEventListener('abort', () => (heard = 'abort'));
      transaction.addEventListener(
        'complete',
        () => (heard = hasFailed ? 'complete, although requests have failed' : 'complete'),
      );
      replace(transaction, form, first + 1, commits);
    });
  }

  /** Begins one transaction after the other, without a pause, until the page is gone. @param last whether `pagehide` begins one of puts */
  function stream(form: Form, commits: boolean, last: boolean): void {
    let n = first;
    if (last)
      window.addEventListener('pagehide', () =>
        replace(begin('readwrite'), form === 'read, put' ? 'put' : form, ++n, true),
      );
    const next = (): void => {
      const transaction = begin(modeOf(form));
      replace(transaction, form, ++n, commits);
      for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => window.setTimeout(next, 1));
    };
    next();
  }

  function abortOnHide(): void {
    window.addEventListener('pagehide', () => {
      for (const transaction of open) {
        try {
          transaction.abort();
        } catch {
          // It has ended, and its event has not arrived.
        }
      }
    });
  }

  return {
    async prepare({ form, commits, moment, aborts = false, last = false }) {
      await openDatabase();
      await seed(form);
      if (aborts) abortOnHide();
      if (moment === 'stream') stream(form, commits, last);
      else arm(moment, form, commits);
    },
    async look(ms) {
      await openDatabase();
      const reading = begin('readonly');
      const found = stores.map((store) => {
        const table = reading.objectStore(store);
        // A fence that was given up has no value, so that the index lacks it.
        return store === 'fences' ? table.index('id').getAllKeys() : table.getAll();
      });
      if ((await within(ms, reading, 'blocked')) === 'blocked') return 'blocked';
      const writing = begin('readwrite');
      writing.objectStore('heads').count();
      commit(writing);
      if ((await within(ms, writing, 'blocked')) === 'blocked') return 'write blocked';
      return describe(found.map(({ result }) => result));
    },
    heard: () => heard,
  };
}

/** Number of the state that a row is part of. */
function numberOf(row: unknown): number | undefined {
  if (Array.isArray(row)) return Number(row[1]);
  return typeof row === 'object' && row !== null && 'n' in row ? Number(row.n) : undefined;
}
