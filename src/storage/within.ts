/** What `work` gives, when its transaction over all tables is through. */
export async function within<T>(
  db: IDBDatabase,
  mode: 'readonly' | 'readwrite',
  work: (table: (name: Table) => IDBObjectStore) => Promise<T>,
): Promise<T> {
  const transaction = db.transaction(tables, mode);
  const [result] = await Promise.all([work((name) => transaction.objectStore(name)), through(transaction)]);
  return result;
}

const tables = ['sessions', 'events', 'refs', 'blobs', 'texts', 'meta'] as const;
type Table = (typeof tables)[number];

function through(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted.', 'AbortError')),
    );
  });
}
