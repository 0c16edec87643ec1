import { fail } from '../../../core/error.ts';
import type { ListOptions, SessionSummary, SessionPage } from '../../../core/model/store.ts';
import { parseCursor, toCursor } from '../../cursor.ts';
import { createPauses } from '../../files/pause.ts';
import { toTrigrams } from './trigrams.ts';
import { isHead } from '../rows.ts';
import type { Database, RowKey } from '../schema.ts';
import { readTexts } from './search-rows.ts';
import { hasWords, toWords } from '../../search-text.ts';
import { lookUp, putOnShelf, type Sighting, shelfSize, sign, type Signed, worthAShelf } from './signature-blocks.ts';
import { inTransaction } from '../in-transaction.ts';

/** Sessions looked at in one go. */
const batch = 100;

/**
 * Looks through the sessions, the newest first, until a page is full. What their signatures say leaves hardly more than those that have
 * the words; only of these, and of sessions that have no signature as they are now, the text is read.
 *
 * @throws AgentError `ABORTED`
 */
export async function search(
  db: Database,
  { search: sought = '', limit = 50, cursor, signal, onProgress }: ListOptions,
): Promise<SessionPage> {
  const words = toWords(sought);
  const { keys, mayHave, stale } = await sight(db, words, cursor);
  const candidates = keys.filter(([id]) => mayHave.get(id) ?? true).reverse();
  const isWorthwhile = candidates.filter(([id]) => !mayHave.has(id)).length >= worthAShelf;
  const pauses = createPauses();
  let signed: Signed[] = [];

  async function shelve(enough: number): Promise<void> {
    if (signed.length < enough) return;
    const full = signed;
    signed = [];
    // It has been found all the same: on a full disk, say.
    await putOnShelf(db, full, cursor === undefined ? stale : []).catch(() => {});
  }

  async function walk(): Promise<SessionPage> {
    const sessions: SessionSummary[] = [];
    for (let from = 0; from < candidates.length; from += batch) {
      const some = candidates.slice(from, from + batch);
      const texts = await readTexts(db, some, signal);
      if (signal?.aborted) fail('ABORTED', 'The search has been called off.');
      for (const [index, key] of some.entries()) {
        const text = texts[index];
        if (!isWorthwhile || !text?.seq || mayHave.has(key[0])) continue;
        signed.push(sign(key, text.text));
        await pauses.spend(text.text.length);
      }
      await shelve(shelfSize);
      const found = some.filter((_key, index) => hasWords(texts[index]?.text ?? '', words));
      for (const [index, head] of (await readHeads(db, found)).entries()) {
        if (!isHead(head)) continue;
        sessions.push(head);
        const isLast = found[index] === candidates.at(-1);
        if (sessions.length === limit)
          return { sessions, ...(!isLast && { cursor: toCursor([head.updatedAt, head.id]) }) };
      }
      onProgress?.({ done: Math.min(from + batch, candidates.length), total: candidates.length });
    }
    return { sessions };
  }

  const page = await walk();
  await shelve(worthAShelf);
  return page;
}

/** The sessions, the oldest first, and what their signatures say. */
function sight(
  db: Database,
  words: readonly string[],
  cursor: string | undefined,
): Promise<Sighting & { readonly keys: readonly RowKey[] }> {
  const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
  return inTransaction(db, 'readonly', async (transaction) => {
    const keys = await transaction.objectStore('sessions').index('updated').getAllKeys(range);
    return { keys, ...(await lookUp(transaction, new Map(keys), toTrigrams(words))) };
  });
}

function readHeads(db: Database, keys: readonly RowKey[]): Promise<readonly unknown[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return inTransaction(db, 'readonly', (transaction) =>
    Promise.all(keys.map((key) => transaction.objectStore('sessions').get(key))),
  );
}
