// The parts of fake-indexeddb 6.2 that an engine profile holds, and what that package lacks of the standard (https://w3c.github.io/IndexedDB/), read in
// its sources and shown by `engine-profiles.test.ts`:
//
// - A transaction is active until it ends. In the standard it is inactive outside the task that created it and the callbacks of its requests, and a
//   request then throws `TransactionInactiveError`. A profile refuses it.
// - `commit()` only refuses further requests. No page ever ends before its transactions, so that a transaction without `commit()` is committed as well.
//   A profile aborts it with its page.
// - `durability` is checked and kept, and changes nothing: there is no loss of power. A profile adds none.
// - There is no quota.
// - `once` and `signal` of `addEventListener` are ignored. A profile obeys them.
// - When a transaction ends, one waiting transaction starts, not all that could, and none where the transaction was aborted before its start: beside a
//   transaction that stays open, readers would wait for each other. A profile looks again after each start and each abort.
// - `close()` looks again and again until the transactions of all connections have ended. A profile waits for those of the closed connection alone.

/** A request in the queue of a transaction. */
interface FakeRequest {
  readonly operation: () => unknown;
  readonly request: IDBRequest;
}

/** A transaction with its internals. */
export interface FakeTransaction extends IDBTransaction {
  _state: 'active' | 'inactive' | 'committing' | 'finished';
  _started: boolean;
  _requests: FakeRequest[];
  readonly _scope: ReadonlySet<string>;
  _start: () => void;
  /** Every request of a store, an index or a cursor passes through this. */
  _execRequestAsync: (wanted: Wanted) => IDBRequest;
}

/** A request that is to be queued. `request`: one that a cursor uses again. */
export interface Wanted {
  readonly operation: () => unknown;
  readonly source: unknown;
  readonly request?: IDBRequest;
}

/** The database behind its connections. */
interface FakeRawDatabase {
  connections: FakeConnection[];
  /** Starts one transaction that can start, in a task of its own. */
  readonly processTransactions: () => void;
}

/** A connection with its internals. */
export interface FakeConnection extends IDBDatabase {
  _closePending: boolean;
  _closed: boolean;
  readonly _rawDatabase: FakeRawDatabase;
}

/** Its types are those of the DOM. */
export function internalsOf(transaction: IDBTransaction): FakeTransaction;
export function internalsOf(db: IDBDatabase): FakeConnection;
export function internalsOf(object: object): object {
  return object;
}

export type RequestKind = 'put' | 'delete' | 'read';

/** Returns what a queued operation does: each is a bound method of a store, or the step of a cursor. */
export function kindOf({ name }: () => unknown): RequestKind {
  if (name.endsWith('storeRecord')) return 'put';
  return name.endsWith('deleteRecord') || name.endsWith('clear') ? 'delete' : 'read';
}
