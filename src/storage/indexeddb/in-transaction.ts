import type { Database, Transaction } from './schema.ts';

/**
 * Returns the result of `work` when its transaction, over all tables, has completed. Reads wait for the end as well: the
 * browser's error for an aborted transaction must reach the caller, and the shortcut methods of idb's database swallow it.
 */
export async function inTransaction<Mode extends 'readonly' | 'readwrite', T>(
  db: Database,
  mode: Mode,
  work: (transaction: Transaction<Mode>) => Promise<T>,
): Promise<T> {
  const transaction = db.transaction([...db.objectStoreNames], mode);
  const [result] = await Promise.all([work(transaction), transaction.done]);
  return result;
}
