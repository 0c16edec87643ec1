import { fail } from '../../../core/error.ts';
import type { ListOptions, SessionSummary, SessionPage } from '../../../core/model/store.ts';
import { checkLimit, parseCursor, toCursor } from '../../cursor.ts';
import { createPauses } from '../../files/pause.ts';
import { toTrigrams } from './trigrams.ts';
import { isSummary } from '../rows.ts';
import type { Database, RowKey } from '../schema.ts';
import { readTexts } from './search-rows.ts';
import { hasWords, toWords } from '../../search-text.ts';
import { fits } from '../../where.ts';
import {
  blockSize,
  type IndexMatches,
  lookUp,
  minBlockSize,
  sign,
  type SignedSession,
  writeBlock,
} from './signature-blocks.ts';
import { inTransaction } from '../in-transaction.ts';

/** Sessions whose texts are read at a time. */
const batch = 100;

/**
 * Searches the sessions, the newest first, until a page is full. The signature index excludes most sessions without the
 * words; the text is read only of the others, and of sessions whose present state is not in the index.
 *
 * Rejects with AgentError `ABORTED` when `signal` aborts. The texts and blocks made so far are kept.
 */
export async function search(
  db: Database,
  { search: sought = '', limit = 50, cursor, where, signal, onProgress }: ListOptions,
): Promise<SessionPage> {
  checkLimit(limit);
  const words = toWords(sought);
  const { keys, mayMatch, staleBlocks } = await askIndex(db, words, cursor);
  const candidates = keys.filter(([id]) => mayMatch.get(id) ?? true).reverse();
  const isBlockWorthwhile = candidates.filter(([id]) => !mayMatch.has(id)).length >= minBlockSize;
  const pauses = createPauses();
  let signed: SignedSession[] = [];

  async function writeBlockFrom(count: number): Promise<void> {
    if (signed.length < count) return;
    const full = signed;
    signed = [];
    // The search succeeds without the block, for example on a full disk.
    await writeBlock(db, full, cursor === undefined ? staleBlocks : []).catch(() => {});
  }

  async function findPage(): Promise<SessionPage> {
    const sessions: SessionSummary[] = [];
    for (let from = 0; from < candidates.length; from += batch) {
      const some = candidates.slice(from, from + batch);
      const texts = await readTexts(db, some, signal);
      if (signal?.aborted) fail('ABORTED', 'The search was cancelled by its signal.');
      for (const [index, key] of some.entries()) {
        const text = texts[index];
        if (!isBlockWorthwhile || !text?.seq || mayMatch.has(key[0])) continue;
        signed.push(sign(key, text.text));
        await pauses.spend(text.text.length);
      }
      await writeBlockFrom(blockSize);
      const found = some.filter((_key, index) => hasWords(texts[index]?.text ?? '', words));
      for (const [index, head] of (await readSummaries(db, found)).entries()) {
        if (!isSummary(head) || !fits(head, where)) continue;
        sessions.push(head);
        const isLast = found[index] === candidates.at(-1);
        if (sessions.length === limit)
          return { sessions, ...(!isLast && { cursor: toCursor([head.updatedAt, head.id]) }) };
      }
      onProgress?.({ done: Math.min(from + batch, candidates.length), total: candidates.length });
    }
    return { sessions };
  }

  const page = await findPage();
  await writeBlockFrom(minBlockSize);
  return page;
}

/** Returns the keys of the sessions, the oldest first, and what the index reports about them. */
function askIndex(
  db: Database,
  words: readonly string[],
  cursor: string | undefined,
): Promise<IndexMatches & { readonly keys: readonly RowKey[] }> {
  const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
  return inTransaction(db, 'readonly', async (transaction) => {
    const keys = await transaction.objectStore('sessions').index('updated').getAllKeys(range);
    return { keys, ...(await lookUp(transaction, new Map(keys), toTrigrams(words))) };
  });
}

function readSummaries(db: Database, keys: readonly RowKey[]): Promise<readonly unknown[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return inTransaction(db, 'readonly', (transaction) =>
    Promise.all(keys.map((key) => transaction.objectStore('sessions').get(key))),
  );
}
