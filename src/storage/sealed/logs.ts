import { keysAfter } from '../indexeddb/keys.ts';
import type { Sealer } from './sealer.ts';

/** Rows of a log as they are stored, each with its key. */
export interface RawLog {
  readonly keys: readonly IDBValidKey[];
  readonly rows: readonly unknown[];
}

/** Requests the rows of a session above a `seq`. The result is complete when the transaction is. */
export function requestLog(events: IDBObjectStore, sessionId: string, after: number): () => RawLog {
  const range = keysAfter(sessionId, after);
  const keys = events.getAllKeys(range);
  const rows: IDBRequest<unknown[]> = events.getAll(range);
  return () => ({ keys: keys.result, rows: rows.result });
}

/** Returns the values of rows: of a damaged row `undefined`. Invariant: a row is decrypted only under its own key. */
export function openLog({ open }: Sealer, { keys, rows }: RawLog): Promise<readonly unknown[]> {
  return Promise.all(rows.map((row, index) => open(row, ['event', ...toPlace(keys[index])])));
}

function toPlace(key: IDBValidKey | undefined): readonly [sessionId: string, seq: number] {
  const [sessionId, seq]: unknown[] = Array.isArray(key) ? key : [];
  return [String(sessionId), Number(seq)];
}
