/**
 * Resolves when a transaction has completed. A request that succeeded may still be undone (on a full disk); a request that
 * fails needs no handler of its own, because it aborts its transaction.
 *
 * Rejects with the transaction's DOMException, an `AbortError` where the browser names no reason.
 */
export function transactionDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted.', 'AbortError')),
    );
  });
}
