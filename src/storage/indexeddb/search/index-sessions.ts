import type { SearchProgress } from '../../../core/model/store.ts';
import type { SessionDisk } from '../schema.ts';
import type { RowKey } from '../keys.ts';
import { readLogs, readLogsInOrder, type SessionLog } from './read-logs.ts';
import { toText } from './search-rows.ts';
import { listKeys } from './session-keys.ts';
import { blockSize, lookUp, minBlockSize, sign, type SignedSession, writeBlock } from './signature-blocks.ts';

/** How the sessions are indexed. */
export interface IndexingOptions {
  /** Called before each step of some ms; resolves when the next one may begin. */
  readonly pause: () => Promise<void>;
  /** Ends the indexing after a step. The blocks written so far are kept. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** Rows that are read at first in one step; later steps read more or fewer. */
const firstRows = 32;
/** Limits of the rows in a step. */
const [fewestRows, mostRows] = [16, 250];
/** Cost of a step of some ms: characters of text, and 100 for each event. */
const stepCost = 400_000;
/** Where at least one of so many sessions is missing in the index, all logs are read: one request reads hundreds of rows. */
const sparse = 4;

/** Adds to the index all sessions that no block contains as they are now, if these are enough for a block. */
export async function indexSessions(disk: SessionDisk, { pause, signal, onProgress }: IndexingOptions): Promise<void> {
  const { missing, total, staleBlocks } = await findMissing(disk);
  if (missing.size < minBlockSize) return;
  let signed: SignedSession[] = [];
  let done = 0;
  let stale = staleBlocks;

  /** Returns the cost. */
  function signAll(logs: readonly SessionLog[]): number {
    let cost = 0;
    for (const one of logs) {
      cost += one.log.length * 100;
      const seq = missing.get(one.id);
      if (seq === undefined || one.seq !== seq) continue;
      const made = toText(one);
      cost += made.text.length;
      done++;
      if (made.seq > 0) signed.push(sign([one.id, seq], made.text));
    }
    return cost;
  }

  async function writeFrom(count: number): Promise<void> {
    if (signed.length < count) return;
    const block = signed;
    const outdated = stale;
    [signed, stale] = [[], []];
    await writeBlock(disk, block, outdated);
    onProgress?.({ done, total: missing.size });
  }

  const steps = missing.size * sparse < total ? oneByOne(disk, missing) : inOrder(disk);
  let cost = 0;
  for (;;) {
    await pause();
    if (signal?.aborted) return;
    const { value: logs, done: isEnd } = await steps.next(cost);
    if (isEnd) break;
    cost = signAll(logs);
    await writeFrom(blockSize);
  }
  await writeFrom(1);
}

type Steps = AsyncGenerator<readonly SessionLog[], void, number>;

/** Reads the logs of all sessions; each step reads as many rows as the cost of the last step permits. */
async function* inOrder(disk: SessionDisk): Steps {
  let rowCount = firstRows;
  for (let from: string | undefined = ''; from !== undefined;) {
    const { logs, next } = await readLogsInOrder(disk, from, rowCount);
    const cost = yield logs;
    rowCount = Math.max(fewestRows, Math.min(mostRows, rowCount * 2, Math.round((rowCount * stepCost) / (cost + 1))));
    from = next;
  }
}

async function* oneByOne(disk: SessionDisk, missing: ReadonlyMap<string, number>): Steps {
  const keys: readonly RowKey[] = Array.from(missing);
  for (let from = 0; from < keys.length; from += fewestRows) yield readLogs(disk, keys.slice(from, from + fewestRows));
}

/** Returns the sessions, with their `seq`, that no block contains as they are now. */
function findMissing(disk: SessionDisk): Promise<{
  readonly missing: ReadonlyMap<string, number>;
  readonly total: number;
  readonly staleBlocks: readonly number[];
}> {
  return disk.run(['list', 'fences', 'texts'], 'readonly', async (transaction) => {
    // Without removed sessions, which the index `updated` does not contain.
    const keys = await listKeys(transaction);
    const { mayMatch, staleBlocks } = await lookUp(transaction, new Map(keys), []);
    return { missing: new Map(keys.filter(([id]) => !mayMatch.has(id))), total: keys.length, staleBlocks };
  });
}
