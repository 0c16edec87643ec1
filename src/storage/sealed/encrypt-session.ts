import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { readSummary } from '../indexeddb/rows.ts';
import { isSealed } from '../indexeddb/sealed-row.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { sealHead } from './heads.ts';
import { requestLog, type RawLog } from './logs.ts';
import type { Place, Sealer } from './sealer.ts';

/** The rows of a session as they are stored. */
interface RawSession {
  readonly head: unknown;
  readonly log: RawLog;
}

/** A row and what replaces it. */
interface Replacement {
  readonly table: 'sessions' | 'events';
  /** Of a table whose rows do not contain their key. */
  readonly key?: IDBValidKey | undefined;
  readonly value: object;
}

/**
 * Encrypts the rows of a session that are not encrypted; numbers and fence stay the same. Resolves with whether there were such rows.
 *
 * Invariant: rows are replaced only where none of them has changed since it was read.
 */
export async function encryptSession(db: IDBDatabase, sealer: Sealer, sessionId: string): Promise<boolean> {
  for (;;) {
    const session = await requestSession(db.transaction(['sessions', 'events']), sessionId);
    const replacements = await replacementsOf(sealer, sessionId, session);
    if (replacements.length === 0) return false;
    if (await replaceRows(db, sessionId, session, replacements)) return true;
  }
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

async function replacementsOf(sealer: Sealer, sessionId: string, session: RawSession): Promise<readonly Replacement[]> {
  const { head, log } = session;
  const heads = isJsonObject(head) ? await encryptHead(sealer, head) : [];
  const rows = await Promise.all(
    log.rows.map(async (row, index) => {
      const key = log.keys[index];
      if (isSealed(row) || !Array.isArray(key)) return [];
      const place: Place = ['event', sessionId, Number(key[1])];
      return [{ table: 'events', key, value: await sealer.seal(row, place) } as const];
    }),
  );
  return [...heads, ...rows.flat()];
}

/** A removed session has a mark in the place of its row, which contains the row. */
async function encryptHead(sealer: Sealer, head: JsonObject): Promise<readonly Replacement[]> {
  const isMark = head.seq === 0 && isJsonObject(head.row);
  const row = isMark ? head.row : head;
  if (isSealed(row)) return [];
  const sealed = await sealHead(sealer, readSummary(row));
  return [{ table: 'sessions', value: isMark ? { ...head, row: sealed } : sealed }];
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
