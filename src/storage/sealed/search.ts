import { fail } from '../../core/error.ts';
import type { ListOptions, SessionPage, SessionSummary } from '../../core/model/store.ts';
import { checkLimit, parseCursor, toCursor } from '../cursor.ts';
import { nextTask } from '../files/pause.ts';
import { isSummary } from '../indexeddb/rows.ts';
import type { RowKey } from '../indexeddb/schema.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { hasWords, toWords } from '../search-text.ts';
import { hasMetadata } from '../where.ts';
import { openListed } from './heads.ts';
import { readTexts } from './search-texts.ts';
import type { Sealer } from './sealer.ts';

/** Sessions that are searched between two pauses: some ms. */
const batch = 50;

/**
 * Searches the sessions, the newest first, until a page is full. The text of each session is decrypted: an index of words or of their
 * hashes would tell an attacker which sessions share words.
 *
 * Rejects with AgentError `ABORTED` when `signal` aborts.
 */
export async function searchPage(
  db: IDBDatabase,
  sealer: Sealer,
  { search = '', limit = 50, cursor, where, signal, onProgress }: ListOptions,
): Promise<SessionPage> {
  checkLimit(limit);
  const words = toWords(search);
  const keys = await keysBefore(db, cursor);
  const sessions: SessionSummary[] = [];
  for (let from = 0; from < keys.length; from += batch) {
    if (signal?.aborted) fail('ABORTED', 'The search was cancelled by its signal.');
    const some = keys.slice(from, from + batch);
    const texts = await readTexts(db, sealer, some);
    const found = some.filter((_key, index) => hasWords(texts[index] ?? '', words));
    for (const head of await readHeads(db, sealer, found)) {
      if (!isSummary(head) || !hasMetadata(head, where)) continue;
      sessions.push(head);
      if (sessions.length < limit) continue;
      const isLast = keys.at(-1)?.[0] === head.id;
      return { sessions, ...(!isLast && { cursor: toCursor([head.updatedAt, head.id]) }) };
    }
    onProgress?.({ done: from + some.length, total: keys.length });
    await nextTask();
  }
  return { sessions };
}

/** Returns the keys of the sessions, the newest first. */
async function keysBefore(db: IDBDatabase, cursor: string | undefined): Promise<readonly RowKey[]> {
  const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
  const transaction = db.transaction('sessions');
  const request = transaction.objectStore('sessions').index('updated').getAllKeys(range);
  await transactionDone(transaction);
  return request.result.map(toRowKey).toReversed();
}

function toRowKey(key: IDBValidKey): RowKey {
  const [id, seq]: unknown[] = Array.isArray(key) ? key : [];
  return [String(id), Number(seq)];
}

async function readHeads(db: IDBDatabase, sealer: Sealer, keys: readonly RowKey[]): Promise<readonly unknown[]> {
  if (keys.length === 0) return [];
  const transaction = db.transaction('sessions');
  const requests: readonly IDBRequest<unknown>[] = keys.map((key) => transaction.objectStore('sessions').get(key));
  await transactionDone(transaction);
  return Promise.all(requests.map(({ result }) => openListed(sealer, result)));
}
