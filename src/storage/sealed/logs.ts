import type { RowKey } from '../indexeddb/keys.ts';
import type { Sealer } from './sealer.ts';

/** Rows of a log as they are stored, each with its key. */
export interface RawLog {
  readonly keys: readonly RowKey[];
  readonly rows: readonly unknown[];
}

/** Returns the values of rows: of a damaged row `undefined`. Invariant: a row is decrypted only under its own key. */
export function openLog({ open }: Sealer, { keys, rows }: RawLog): Promise<readonly unknown[]> {
  return Promise.all(rows.map((row, index) => open(row, ['event', ...(keys[index] ?? ['', 0])])));
}
