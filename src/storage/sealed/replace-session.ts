import { isJsonObject } from '../../core/json.ts';
import { type RowKey, keysOf } from '../indexeddb/keys.ts';
import type { SessionDisk, Transaction } from '../indexeddb/schema.ts';
import type { RawLog } from './logs.ts';

/** The rows of a session as they are stored. */
export interface RawSession {
  readonly head: unknown;
  readonly log: RawLog;
}

/** A row and what replaces it. */
export type Replacement =
  | { readonly table: 'list'; readonly value: unknown }
  | { readonly table: 'events'; readonly key: RowKey; readonly value: unknown };

/**
 * Replaces rows of a session in one transaction; numbers and fence stay the same. Resolves with whether there was something to replace.
 *
 * Invariant: rows are replaced only where none of them has changed since it was read.
 *
 * @param toReplacements is called again where another tab has changed the session meanwhile
 */
export async function replaceSession(
  disk: SessionDisk,
  sessionId: string,
  toReplacements: (session: RawSession) => Promise<readonly Replacement[]>,
): Promise<boolean> {
  for (;;) {
    const session = await disk.run(['list', 'events'], 'readonly', (transaction) => readRaw(transaction, sessionId));
    const replacements = await toReplacements(session);
    if (replacements.length === 0) return false;
    if (await replaceRows(disk, sessionId, session, replacements)) return true;
  }
}

/**
 * Returns what replaces the row of the list. A removed session has a mark in the place of its row, which contains the row.
 *
 * @param replace resolves with `undefined` for a row that stays
 */
export async function replaceHead(
  head: unknown,
  replace: (row: unknown) => Promise<object | undefined>,
): Promise<readonly Replacement[]> {
  if (!isJsonObject(head)) return [];
  const isMark = head.seq === 0 && isJsonObject(head.row);
  const row = await replace(isMark ? head.row : head);
  return row ? [{ table: 'list', value: isMark ? { ...head, row } : row }] : [];
}

/** Reads the rows of a session, also those that are replaced and not deleted yet. */
async function readRaw(transaction: Transaction<'readonly' | 'readwrite'>, sessionId: string): Promise<RawSession> {
  const events = transaction.objectStore('events');
  const [head, keys, rows] = await Promise.all([
    transaction.objectStore('list').get(sessionId),
    events.getAllKeys(keysOf(sessionId)),
    events.getAll(keysOf(sessionId)),
  ]);
  return { head, log: { keys, rows } };
}

/** Resolves with `false`, and changes nothing, where a row has changed. */
function replaceRows(
  disk: SessionDisk,
  sessionId: string,
  before: RawSession,
  replacements: readonly Replacement[],
): Promise<boolean> {
  return disk.run(['list', 'events'], 'readwrite', async (transaction) => {
    const isSame = identityOf(await readRaw(transaction, sessionId)) === identityOf(before);
    if (!isSame) return false;
    await Promise.all(
      replacements.map((one) =>
        one.table === 'list'
          ? transaction.objectStore('list').put(one.value)
          : transaction.objectStore('events').put(one.value, one.key),
      ),
    );
    return true;
  });
}

/** Returns a text that differs where rows differ. */
function identityOf({ head, log }: RawSession): string {
  return JSON.stringify([head, log], (_key, value: unknown) => (value instanceof Uint8Array ? value.join() : value));
}
