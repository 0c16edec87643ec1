import { forceCloseDatabase } from 'fake-indexeddb';

/** A fault of one transaction. */
export type IndexedDBFault =
  /** The transaction is undone after all its requests succeeded, as on a full disk. */
  | { readonly kind: 'full' }
  /** The transaction is undone without a reason. */
  | { readonly kind: 'abort' }
  /** The transaction is stored, and the connection is lost before its answer. */
  | { readonly kind: 'unanswered' }
  /** The nth request (counted from 1) fails, and the transaction with it. */
  | { readonly kind: 'request'; readonly nth: number }
  /** The connection turns out to be closed before the transaction begins. */
  | { readonly kind: 'closed' }
  /** The browser closes the database before the transaction begins. */
  | { readonly kind: 'terminated' };

/** The installed fake-indexeddb, which can be made to fail. */
export interface FaultyIndexedDB {
  /** Sets the faults of the next transactions, one each. */
  arm(faults: readonly IndexedDBFault[]): void;
  /** Removes all faults. */
  restore(): void;
}

const requests = ['add', 'put', 'delete', 'get', 'getKey', 'getAll'] as const;

export function spoilIndexedDB(): FaultyIndexedDB {
  let armed: readonly IndexedDBFault[] = [];
  /** The transaction that is undone by its nth request. */
  let counted: { readonly transaction: IDBTransaction; left: number } | undefined;
  const begin = IDBDatabase.prototype.transaction;
  const real = Object.fromEntries(requests.map((name) => [name, IDBObjectStore.prototype[name]]));

  function undo(transaction: IDBTransaction, name?: string): void {
    if (name !== undefined)
      Object.defineProperty(transaction, 'error', { value: new DOMException('on purpose', name) });
    transaction.abort();
  }

  /** Tells the end of a transaction as a failure. */
  function loseAnswer(transaction: IDBTransaction): void {
    const listen = transaction.addEventListener.bind(transaction);
    const fail = (listener: () => void): void => {
      Object.defineProperty(transaction, 'error', { value: new DOMException('on purpose', 'UnknownError') });
      listener();
    };
    Object.defineProperty(transaction, 'addEventListener', {
      value: (type: string, listener: () => void): void => {
        if (type !== 'complete') listen(type, listener);
        if (type === 'abort') listen('complete', () => fail(listener));
      },
    });
  }

  function transaction(this: IDBDatabase, ...args: Parameters<typeof begin>): IDBTransaction {
    // The browser begins the transaction of an upgrade itself.
    if (String(args[1]) === 'versionchange') return begin.apply(this, args);
    const [fault, ...rest] = armed;
    armed = rest;
    if (fault?.kind === 'closed') this.close();
    // Its types require the class of fake-indexeddb.
    if (fault?.kind === 'terminated') Reflect.apply(forceCloseDatabase, undefined, [this]);
    const begun = begin.apply(this, args);
    if (fault?.kind === 'request') {
      counted = { transaction: begun, left: fault.nth };
      // The transaction commits without this call if it is not undone before.
      begun.commit = () => {};
    }
    if (fault?.kind === 'unanswered') loseAnswer(begun);
    if (fault?.kind === 'full' || fault?.kind === 'abort') {
      begun.commit = () => undo(begun, fault.kind === 'full' ? 'QuotaExceededError' : undefined);
    }
    return begun;
  }

  IDBDatabase.prototype.transaction = transaction;
  for (const name of requests) {
    Object.defineProperty(IDBObjectStore.prototype, name, {
      configurable: true,
      writable: true,
      value(this: IDBObjectStore, ...args: unknown[]): unknown {
        const request: unknown = Reflect.apply(real[name] ?? (() => {}), this, args);
        const target = counted;
        if (target?.transaction === this.transaction && --target.left === 0 && request instanceof IDBRequest) {
          counted = undefined;
          request.addEventListener('success', () => queueMicrotask(() => undo(target.transaction, 'UnknownError')));
        }
        return request;
      },
    });
  }

  return {
    arm: (faults) => void (armed = faults),
    restore() {
      IDBDatabase.prototype.transaction = begin;
      for (const name of requests) {
        Object.defineProperty(IDBObjectStore.prototype, name, {
          configurable: true,
          writable: true,
          value: real[name],
        });
      }
    },
  };
}
