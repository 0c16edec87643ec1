import { type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames, unwrap } from 'idb';
import { type PageLife, whenMissed } from './page-life.ts';

/** A transaction, typed as one over all tables of a database. */
export type TransactionOf<Schema extends DBSchema, Mode extends IDBTransactionMode> = IDBPTransaction<
  Schema,
  StoreNames<Schema>[],
  Mode
>;

/**
 * The transactions on one open database, made so that a page can be left at any moment. Five rules, which WebKit makes necessary: of a
 * page that is left it drops every `add` and `put` of a transaction and executes the `delete`s, and it keeps a transaction without
 * `commit()` open in the page cache, where it blocks the next page.
 *
 * 1. Invariant: no transaction contains a `delete` beside an `add` or a `put`. What is replaced is put; what is obsolete is deleted later, in
 *    a transaction of its own that may run twice or never.
 * 2. `commit()` follows the last request at once.
 * 3. A transaction without `commit()` is aborted in `pagehide`, reads included, and runs again when the page does.
 * 4. The last write of a page that is left is `write`: no callback of the page runs any more.
 * 5. At most one request of a transaction with `commit()` may fail, and it is the last one: Firefox does not abort a transaction whose request
 *    fails after `commit()`, unless no other request follows.
 */
export interface Disk<Schema extends DBSchema> {
  /**
   * Begins a transaction, lets `put` make all its requests and hands it over to the browser, all within the call, also in `pagehide`.
   * Resolves when the transaction has completed; rejects with its DOMException.
   */
  write(
    tables: readonly StoreNames<Schema>[],
    put: (transaction: TransactionOf<Schema, 'readwrite'>) => void,
    durability?: IDBTransactionDurability,
  ): Promise<void>;
  /**
   * Returns the result of `work` when its transaction has completed. A transaction that `pagehide` aborts runs again, with another call of
   * `work`, when the page does. Rejects with what `work` throws, or with the transaction's DOMException.
   *
   * @param work awaits nothing but requests of its transaction
   */
  run<Mode extends 'readonly' | 'readwrite', T>(
    tables: readonly StoreNames<Schema>[],
    mode: Mode,
    work: (transaction: TransactionOf<Schema, Mode>) => Promise<T>,
    durability?: IDBTransactionDurability,
  ): Promise<T>;
}

export function createDisk<Schema extends DBSchema>(db: IDBPDatabase<Schema>, page: PageLife): Disk<Schema> {
  return {
    async write(tables, put, durability = 'default') {
      const transaction = db.transaction([...tables], 'readwrite', { durability });
      const end = endOf(unwrap(transaction), transaction.done, page);
      try {
        put(transaction);
        transaction.commit();
      } catch (thrown) {
        abort(transaction);
        throw (await end) ?? thrown;
      }
      const failure = await end;
      if (failure) throw failure;
    },

    async run(tables, mode, work, durability = 'default') {
      for (;;) {
        // No transaction of a page that is left begins with a question.
        if (page.isAside()) await page.runs();
        const transaction = db.transaction([...tables], mode, { durability });
        const end = endOf(unwrap(transaction), transaction.done, page);
        let wasLeft = false;
        const stay = page.onLeave(() => {
          wasLeft = true;
          abort(transaction);
        });
        try {
          // Requests of which the page has missed the end never settle.
          const result = await Promise.race([work(transaction), failureOf(end)]);
          commit(transaction);
          stay();
          const failure = await end;
          if (!failure) return result;
          if (!wasLeft) throw failure;
        } catch (thrown) {
          abort(transaction);
          const failure = await end;
          if (!wasLeft) throw isUnnamed(failure) ? thrown : failure;
        } finally {
          stay();
        }
      }
    },
  };
}

/** Lets requests fail in silence: a failed request aborts its transaction, whose end is reported. */
export function unheard(requests: Iterable<Promise<unknown>>): void {
  for (const request of requests) request.catch(() => {});
}

/**
 * Resolves when a transaction has ended: with `undefined` when it is stored, else with the reason. A request that succeeded may still be
 * undone (on a full disk); a request that fails needs no handler of its own, because it aborts its transaction.
 */
function endOf(transaction: IDBTransaction, done: Promise<void>, page: PageLife): Promise<DOMException | undefined> {
  // `done` of idb rejects with the event of the failed request, at which the transaction does not know its reason yet.
  unheard([done]);
  return new Promise((resolve) => {
    let failed: DOMException | undefined;
    // Whether a transaction is stored whose end was missed is not known.
    const stop = whenMissed(page, () => end(new DOMException(missed, 'AbortError')));
    const end = (reason?: DOMException): void => {
      stop();
      resolve(reason);
    };
    // The reason is reliable at the request alone: after `commit()` the transaction has none in WebKit, and `AbortError` in Firefox.
    transaction.addEventListener('error', ({ target }) => {
      if (target instanceof IDBRequest && target.error?.name !== 'AbortError') failed ??= target.error ?? undefined;
    });
    // WebKit reports a transaction as complete of which it has dropped the puts, because the page was left: their requests have failed.
    transaction.addEventListener('complete', () => end(failed));
    transaction.addEventListener('abort', () =>
      end(failed ?? transaction.error ?? new DOMException(unnamed, 'AbortError')),
    );
  });
}

const missed = 'The page has missed the end of a transaction.';
/** Rejects with the reason when a transaction fails, else never settles. */
async function failureOf(end: Promise<DOMException | undefined>): Promise<never> {
  const failure = await end;
  if (failure) throw failure;
  return new Promise(() => {});
}

const unnamed = 'The transaction was aborted.';

/** Whether the page itself has aborted a transaction, or the browser has named no reason. */
function isUnnamed(failure: DOMException | undefined): boolean {
  return failure === undefined || failure.message === unnamed;
}

function commit(transaction: Pick<IDBTransaction, 'commit'>): void {
  try {
    transaction.commit();
  } catch {
    // The browser has committed the transaction already, because it had no request left.
  }
}

function abort(transaction: Pick<IDBTransaction, 'abort'>): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has ended already.
  }
}
