import { forceCloseDatabase } from 'fake-indexeddb';

/** What goes wrong with one transaction. */
export type IndexedDBFault =
  /** It is undone when all its requests have succeeded, as on a full disk. */
  | { readonly kind: 'full' }
  /** It is undone, and nobody says why. */
  | { readonly kind: 'abort' }
  /** Its nth request fails (from 1), and so does all of it. */
  | { readonly kind: 'request'; readonly nth: number }
  /** The connection turns out to be closed before it begins. */
  | { readonly kind: 'closed' }
  /** The browser takes the database away before it begins. */
  | { readonly kind: 'terminated' };

/** An IndexedDB (the one of fake-indexeddb, already installed) that can be made to fail. */
export interface FaultyIndexedDB {
  /** What goes wrong with the next transactions, one each. */
  arm(faults: readonly IndexedDBFault[]): void;
  /** As it was. */
  restore(): void;
}

const requests = ['add', 'put', 'delete', 'get', 'getKey', 'getAll'] as const;

export function spoilIndexedDB(): FaultyIndexedDB {
  let armed: readonly IndexedDBFault[] = [];
  /** The transaction that its nth request undoes. */
  let counted: { readonly transaction: IDBTransaction; left: number } | undefined;
  const begin = IDBDatabase.prototype.transaction;
  const real = Object.fromEntries(requests.map((name) => [name, IDBObjectStore.prototype[name]]));

  function undo(transaction: IDBTransaction, name?: string): void {
    if (name !== undefined)
      Object.defineProperty(transaction, 'error', { value: new DOMException('on purpose', name) });
    transaction.abort();
  }

  function transaction(this: IDBDatabase, ...args: Parameters<typeof begin>): IDBTransaction {
    // An upgrade has one of its own, begun by the browser.
    if (String(args[1]) === 'versionchange') return begin.apply(this, args);
    const [fault, ...rest] = armed;
    armed = rest;
    if (fault?.kind === 'closed') this.close();
    // Its types ask for a class of its own.
    if (fault?.kind === 'terminated') Reflect.apply(forceCloseDatabase, undefined, [this]);
    const begun = begin.apply(this, args);
    if (fault?.kind === 'request') {
      counted = { transaction: begun, left: fault.nth };
      // It goes through without, when it is not undone before.
      begun.commit = () => {};
    }
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
        const its = counted;
        if (its?.transaction === this.transaction && --its.left === 0 && request instanceof IDBRequest) {
          counted = undefined;
          request.addEventListener('success', () => queueMicrotask(() => undo(its.transaction, 'UnknownError')));
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
