/**
 * Settles when a transaction is through. A request that succeeded may still be taken back (a full disk); one that fails needs no answer
 * of its own, for its transaction tells.
 *
 * @throws DOMException of the transaction
 */
export function transactionDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted.', 'AbortError')),
    );
  });
}
