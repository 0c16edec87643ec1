import { isJsonObject } from '../../../core/json.ts';
import { createPauses } from '../../files/pause.ts';
import { isSummary, isTombstone } from '../../rows/rows.ts';
import { isSealed } from '../../rows/sealed-row.ts';
import type { SessionDisk } from '../schema.ts';
import type { RowKey } from '../keys.ts';
import { readLogs, type SessionLog } from './read-logs.ts';
import { currentFilter } from './session-keys.ts';
import { toSearchText } from '../../search-text.ts';

/** The searched text of a session; outdated when the list shows another `seq` of the session. */
export interface SearchText {
  /**
   * 0 where the text serves one search and is not stored: while a reply streams, because the list's `seq` lags behind then, and of an
   * encrypted session, whose `seq` stays the same when it is decrypted.
   */
  readonly seq: number;
  readonly text: string;
}

/** Sessions whose logs are read in one transaction: some ms. */
const logsPerTransaction = 20;

/**
 * Returns the texts of sessions, and makes the row of a session that has changed since its row was made. A text is
 * missing where its session was removed, or where the signal aborted first.
 */
export async function readTexts(
  disk: SessionDisk,
  keys: readonly RowKey[],
  signal: AbortSignal | undefined,
): Promise<readonly (SearchText | undefined)[]> {
  const rows = await disk.run(['texts'], 'readonly', (transaction) =>
    Promise.all(keys.map(([id]) => transaction.objectStore('texts').get(id))),
  );
  const missing = keys.filter((key, index) => !isTextOf(rows[index], key[1]));
  const made = new Map<string, SearchText>();
  const pauses = createPauses();
  for (let from = 0; from < missing.length; from += logsPerTransaction) {
    if (signal?.aborted) break;
    await makeTexts(disk, missing.slice(from, from + logsPerTransaction), made, pauses.spend);
  }
  // Rows that cannot be stored, for example on a full disk, are made again by the next search.
  if (made.size > 0) await write(disk, missing, made).catch(() => {});
  return keys.map(([id, seq], index) => {
    const row = rows[index];
    return made.get(id) ?? (isTextOf(row, seq) ? row : undefined);
  });
}

async function makeTexts(
  disk: SessionDisk,
  keys: readonly RowKey[],
  made: Map<string, SearchText>,
  spend: (cost: number) => Promise<void> | undefined,
): Promise<void> {
  for (const session of await readLogs(disk, keys)) {
    // The session was removed meanwhile.
    if (session.head === undefined || isTombstone(session.head)) continue;
    const text = toText(session);
    made.set(session.id, text);
    await spend(text.text.length + session.log.length * 100);
  }
}

/** Returns the searched text of a session. */
export function toText({ id, seq, head, log }: SessionLog): SearchText {
  const text = toSearchText(id, isSummary(head) ? head.title : '', log);
  return { seq: isSealed(head) || (isSummary(head) && head.status === 'running') ? 0 : seq, text };
}

function write(disk: SessionDisk, keys: readonly RowKey[], made: ReadonlyMap<string, SearchText>): Promise<unknown> {
  return disk.run(['fences', 'texts'], 'readwrite', async (transaction) => {
    // Nothing of a removed session may be stored.
    const isCurrent = await currentFilter(transaction, keys);
    const texts = keys.filter((key) => key[1] > 0 && made.get(key[0])?.seq === key[1] && isCurrent(key));
    return Promise.all(texts.map(([id]) => transaction.objectStore('texts').put(made.get(id), id)));
  });
}

function isTextOf(row: unknown, seq: number): row is SearchText {
  return isJsonObject(row) && row.seq === seq && typeof row.text === 'string';
}
