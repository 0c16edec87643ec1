import { isJsonObject } from '../../core/json.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { requestLog, type RawLog } from './logs.ts';

/** The rows of a session as they are stored. */
export interface RawSession {
  readonly head: unknown;
  readonly log: RawLog;
}

/** A row and what replaces it. */
export interface Replacement {
  readonly table: 'sessions' | 'events';
  /** Of a table whose rows do not contain their key. */
  readonly key?: IDBValidKey | undefined;
  readonly value: unknown;
}

/**
 * Replaces rows of a session in one transaction; numbers and fence stay the same. Resolves with whether there was something to replace.
 *
 * Invariant: rows are replaced only where none of them has changed since it was read.
 *
 * @param toReplacements is called again where another tab has changed the session meanwhile
 */
export async function replaceSession(
  db: IDBDatabase,
  sessionId: string,
  toReplacements: (session: RawSession) => Promise<readonly Replacement[]>,
): Promise<boolean> {
  for (;;) {
    const session = await requestSession(db.transaction(['sessions', 'events']), sessionId);
    const replacements = await toReplacements(session);
    if (replacements.length === 0) return false;
    if (await replaceRows(db, sessionId, session, replacements)) return true;
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
  return row ? [{ table: 'sessions', value: isMark ? { ...head, row } : row }] : [];
}

async function requestSession(transaction: IDBTransaction, sessionId: string): Promise<RawSession> {
  const result = readSession(transaction, sessionId);
  await transactionDone(transaction);
  return result();
}

function readSession(transaction: IDBTransaction, sessionId: string): () => RawSession {
  const head: IDBRequest<unknown> = transaction.objectStore('sessions').index('id').get(sessionId);
  const getLog = requestLog(transaction.objectStore('events'), sessionId, -Infinity);
  return () => ({ head: head.result, log: getLog() });
}

/** Resolves with `false`, and changes nothing, where a row has changed. */
async function replaceRows(
  db: IDBDatabase,
  sessionId: string,
  before: RawSession,
  replacements: readonly Replacement[],
): Promise<boolean> {
  const transaction = db.transaction(['sessions', 'events'], 'readwrite');
  const getNow = readSession(transaction, sessionId);
  let isSame = false;
  // Requests finish in their order: this one after those of `readSession`.
  transaction
    .objectStore('events')
    .count([])
    .addEventListener('success', () => {
      isSame = identityOf(getNow()) === identityOf(before);
      if (isSame) for (const { table, key, value } of replacements) transaction.objectStore(table).put(value, key);
    });
  await transactionDone(transaction);
  return isSame;
}

/** Returns a text that differs where rows differ. */
function identityOf({ head, log }: RawSession): string {
  return JSON.stringify([head, log], (_key, value: unknown) => (value instanceof Uint8Array ? value.join() : value));
}
