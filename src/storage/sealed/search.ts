import { fail } from '../../core/error.ts';
import type { ListOptions, SessionPage, SessionSummary } from '../../core/model/store.ts';
import { waitsForPerson } from '../../core/model/summary.ts';
import { checkLimit, toCursor } from '../cursor.ts';
import { nextTask } from '../files/pause.ts';
import { isSummary, isTombstone, readSummary } from '../rows/rows.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import type { RowKey } from '../indexeddb/keys.ts';
import { listKeys } from '../indexeddb/search/session-keys.ts';
import { listRange, type ListRange } from '../rows/waiting-mark.ts';
import { hasWords, toWords } from '../search-text.ts';
import { isListed } from '../where.ts';
import { openListed } from './heads.ts';
import { readTexts } from './search-texts.ts';
import type { Sealer } from './sealer.ts';

/** Sessions that are searched between two pauses: some ms. */
const batch = 50;

/**
 * Searches the sessions, the newest first, until a page is full. The text of each session is decrypted: an index of words or of their
 * hashes would show an attacker which sessions share words.
 *
 * Rejects with AgentError `ABORTED` when `signal` aborts.
 */
export async function searchPage(
  disk: SessionDisk,
  sealer: Sealer,
  { search = '', limit = 50, cursor, where, waiting = false, children, signal, onProgress }: ListOptions,
  isStrict: boolean,
): Promise<SessionPage> {
  checkLimit(limit);
  const words = toWords(search);
  const keys = await keysBefore(disk, listRange(cursor, waiting));
  const sessions: SessionSummary[] = [];
  for (let from = 0; from < keys.length; from += batch) {
    if (signal?.aborted) fail('ABORTED', 'The search was cancelled by its signal.');
    const some = keys.slice(from, from + batch);
    const texts = await readTexts(disk, sealer, some, isStrict);
    const found = some.filter((_key, index) => hasWords(texts[index] ?? '', words));
    for (const row of await readHeads(disk, sealer, found, isStrict)) {
      if (!isSummary(row)) continue;
      const head = readSummary(row);
      if (!isListed(head, { where, waiting, children }) || (waiting && !waitsForPerson(head))) continue;
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
async function keysBefore(disk: SessionDisk, range: ListRange): Promise<readonly RowKey[]> {
  const keys = await disk.run(['list', 'fences'], 'readonly', (transaction) => listKeys(transaction, range));
  return keys.toReversed();
}

async function readHeads(
  disk: SessionDisk,
  sealer: Sealer,
  keys: readonly RowKey[],
  isStrict: boolean,
): Promise<readonly unknown[]> {
  if (keys.length === 0) return [];
  const rows = await disk.run(['list'], 'readonly', (transaction) =>
    Promise.all(keys.map(([id]) => transaction.objectStore('list').get(id))),
  );
  return Promise.all(rows.map(async (row) => (isTombstone(row) ? undefined : openListed(sealer, row, isStrict))));
}
