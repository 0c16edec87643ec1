import type { Database, Transaction } from './schema.ts';

/**
 * What `work` gives, when its transaction over all tables is through. Reads wait for that as well: what the browser says of
 * a transaction that it took away must reach somebody (the verbs of idb's database leave it unheard).
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
