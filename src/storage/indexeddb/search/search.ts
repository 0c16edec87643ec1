import { fail } from '../../../core/error.ts';
import type { ListOptions, SearchProgress, SessionSummary, SessionPage } from '../../../core/model/store.ts';
import { waitsForPerson } from '../../../core/model/summary.ts';
import { checkLimit, toCursor } from '../../cursor.ts';
import { createPauses, nextTask } from '../../files/pause.ts';
import { toTrigrams } from './trigrams.ts';
import { isTombstone, readSummary } from '../../rows/rows.ts';
import type { SessionDisk } from '../schema.ts';
import type { RowKey } from '../keys.ts';
import { indexSessions } from './index-sessions.ts';
import { listKeys } from './session-keys.ts';
import { readTexts } from './search-rows.ts';
import { hasWords, toWords } from '../../search-text.ts';
import { isListed } from '../../where.ts';
import { listRange, type ListRange } from '../../rows/waiting-mark.ts';
import {
  blockSize,
  type IndexMatches,
  lookUp,
  minBlockSize,
  sign,
  type SignedSession,
  writeBlock,
} from './signature-blocks.ts';

/** Sessions whose texts are read at a time. */
const batch = 100;
/** Sessions that are searched before the others are indexed, where many are not: some tenths of a second. */
const newest = 300;
/** The index is completed where the page would, by an estimate, not be full after the search of this share of the sessions. */
const worthwhileShare = 1 / 4;

/**
 * Searches the sessions, the newest first, until a page is full. The signature index excludes most sessions without the
 * words; the text is read only of the others, and of sessions whose present state is not in the index. Where these are many, and
 * the newest sessions do not fill the page, the index is completed before the other sessions are searched.
 *
 * Rejects with AgentError `ABORTED` when `signal` aborts. The texts and blocks made so far are kept.
 */
export async function search(
  disk: SessionDisk,
  { search: sought = '', limit = 50, cursor, where, waiting = false, children, signal, onProgress }: ListOptions,
): Promise<SessionPage> {
  checkLimit(limit);
  const words = toWords(sought);
  const pauses = createPauses();
  const sessions: SessionSummary[] = [];
  const searched = new Set<string>();
  let signed: SignedSession[] = [];

  const asked = await ask();
  const total = asked.candidates.length;

  /** Returns the sessions that may have the words and have not been searched, the newest first. */
  async function ask(): Promise<Candidates> {
    const { keys, mayMatch, staleBlocks } = await askIndex(disk, words, listRange(cursor, waiting));
    const candidates = keys.filter(([id]) => (mayMatch.get(id) ?? true) && !searched.has(id)).reverse();
    const unindexed = new Set(candidates.map(([id]) => id).filter((id) => !mayMatch.has(id)));
    return { candidates, unindexed, staleBlocks: cursor === undefined ? staleBlocks : [] };
  }

  async function writeBlockFrom(count: number, staleBlocks: readonly number[]): Promise<void> {
    if (signed.length < count) return;
    const full = signed;
    signed = [];
    // The search succeeds without the block, for example on a full disk.
    await writeBlock(disk, full, staleBlocks).catch(() => {});
  }

  /** Searches the candidates while `goesOn` is true of the number of those before the next ones. Returns the page if it is full. */
  async function scan(
    { candidates, unindexed, staleBlocks }: Candidates,
    goesOn: (next: number) => boolean,
  ): Promise<SessionPage | undefined> {
    for (let from = 0; from < candidates.length && goesOn(from); from += batch) {
      const some = candidates.slice(from, from + batch);
      const texts = await readTexts(disk, some, signal);
      checkSignal(signal);
      for (const [index, key] of some.entries()) {
        searched.add(key[0]);
        const text = texts[index];
        if (unindexed.size < minBlockSize || !text?.seq || !unindexed.has(key[0])) continue;
        signed.push(sign(key, text.text));
        await pauses.spend(text.text.length);
      }
      await writeBlockFrom(blockSize, staleBlocks);
      const found = some.filter((_key, index) => hasWords(texts[index]?.text ?? '', words));
      for (const [index, row] of (await readSummaries(disk, found)).entries()) {
        const head = readSummary(row);
        // Without a row, the session was removed meanwhile.
        if (row === undefined || !isListed(head, { where, waiting, children }) || (waiting && !waitsForPerson(head)))
          continue;
        sessions.push(head);
        if (sessions.length < limit) continue;
        const isLast = found[index] === candidates.at(-1);
        return { sessions, ...(!isLast && { cursor: toCursor([head.updatedAt, head.id]) }) };
      }
      onProgress?.({ done: total - candidates.length + from + some.length, total });
    }
    return undefined;
  }

  /** Completes the index. Without it, for example on a full disk, the search reads the logs. */
  async function completeIndex(): Promise<void> {
    const progress = ({ done }: SearchProgress): void =>
      onProgress?.({ done: Math.min(total, searched.size + done), total });
    await indexSessions(disk, { pause: nextTask, signal, onProgress: progress }).catch(() => {});
    checkSignal(signal);
  }

  const isIndexed = asked.unindexed.size < newest + minBlockSize;
  const mayFill = (): boolean => (searched.size * limit) / sessions.length <= total * worthwhileShare;
  const page = await scan(asked, (next) => isIndexed || next < newest || mayFill());
  await writeBlockFrom(minBlockSize, asked.staleBlocks);
  if (page || searched.size === total) return page ?? { sessions };
  await completeIndex();
  return (await scan(await ask(), () => true)) ?? { sessions };
}

interface Candidates {
  readonly candidates: readonly RowKey[];
  /** Ids of the candidates that no block contains as they are now. */
  readonly unindexed: ReadonlySet<string>;
  readonly staleBlocks: readonly number[];
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) fail('ABORTED', 'The search was cancelled by its signal.');
}

/** Returns the keys of the sessions, the oldest first, and what the index reports about them. */
function askIndex(
  disk: SessionDisk,
  words: readonly string[],
  range: ListRange,
): Promise<IndexMatches & { readonly keys: readonly RowKey[] }> {
  return disk.run(['list', 'fences', 'texts'], 'readonly', async (transaction) => {
    const keys = await listKeys(transaction, range);
    return { keys, ...(await lookUp(transaction, new Map(keys), toTrigrams(words))) };
  });
}

function readSummaries(disk: SessionDisk, keys: readonly RowKey[]): Promise<readonly unknown[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return disk.run(['list'], 'readonly', async (transaction) => {
    const rows = await Promise.all(keys.map(([id]) => transaction.objectStore('list').get(id)));
    return rows.map((row) => (isTombstone(row) ? undefined : row));
  });
}
