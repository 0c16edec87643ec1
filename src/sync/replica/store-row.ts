import type { SessionStore, SessionSummary } from '../../core/model/store.ts';
import { isRow } from './check-rows.ts';
import { stamp } from './origin.ts';
import { startedAt, toWrite } from './to-write.ts';

/**
 * Stores the row of a session of another device, so that the list has it before its log is fetched: a log of one event, with the row of the
 * remote store. Resolves with whether it is stored. Invariant: no page reads this log, or writes above it. `planOf` and the verbs of the
 * synced store replace it first.
 */
export async function storeRow(row: SessionSummary, local: SessionStore, newId: () => string): Promise<boolean> {
  const { id } = row;
  // The mark of a removed session has no message, either.
  if (row.messageCount === 0 || !isRow(row) || ((await local.wasRemoved?.(id)) ?? true)) return false;
  const unique = newId();
  return local
    .write(toWrite(id, [startedAt(id, row.createdAt)], row, undefined, stamp(unique, unique, { kind: 'row' })))
    .then(
      () => true,
      // Another tab was first, or the store takes nothing: the session is compared as a whole, which reports what is wrong.
      () => false,
    );
}
