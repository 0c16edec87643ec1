import { isJsonObject } from '../../core/json.ts';
import { isSummary } from '../indexeddb/rows.ts';
import { toLog } from '../indexeddb/to-log.ts';
import type { RowKey } from '../indexeddb/schema.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { toSearchText } from '../search-text.ts';
import { openListed } from './heads.ts';
import { openLog, requestLog } from './logs.ts';
import { type Place, type Sealer, unlessForeign } from './sealer.ts';

/** A row of the table `texts`: its `seq` is not encrypted, so that an outdated text is not decrypted. */
interface SealedText {
  readonly id: string;
  readonly seq: number;
  readonly row: object;
}

/** Returns the searched texts of sessions, and stores those of sessions that have changed since their last search. */
export async function readTexts(db: IDBDatabase, sealer: Sealer, keys: readonly RowKey[]): Promise<readonly string[]> {
  const transaction = db.transaction('texts');
  const requests: readonly IDBRequest<unknown>[] = keys.map(([id]) => transaction.objectStore('texts').get(id));
  await transactionDone(transaction);
  const made: SealedText[] = [];
  const texts = await Promise.all(
    keys.map(async (key, index) => {
      const text = await openText(sealer, key, requests[index]?.result);
      if (text !== undefined) return text;
      const next = await makeText(db, sealer, key);
      if (!next.isRunning) made.push(await sealText(sealer, key, next.text));
      return next.text;
    }),
  );
  // Texts that cannot be stored, for example on a full disk, are made again by the next search.
  await store(db, made).catch(() => {});
  return texts;
}

function placeOf([id, seq]: RowKey): Place {
  return ['text', id, seq];
}

/** Returns `undefined` where the session has changed since, or the row cannot be read. */
async function openText({ open }: Sealer, key: RowKey, row: unknown): Promise<string | undefined> {
  if (!isJsonObject(row) || row.seq !== key[1]) return undefined;
  const value = await unlessForeign(open(row, placeOf(key)), undefined);
  return isJsonObject(value) && typeof value.text === 'string' ? value.text : undefined;
}

async function sealText({ seal }: Sealer, [id, seq]: RowKey, text: string): Promise<SealedText> {
  return { id, seq, row: { seq, ...(await seal({ text }, placeOf([id, seq]))) } };
}

/** Returns the searched text of a session; while a reply streams, the list's `seq` lags behind and the text is not kept. */
async function makeText(
  db: IDBDatabase,
  sealer: Sealer,
  key: RowKey,
): Promise<{ readonly text: string; readonly isRunning: boolean }> {
  const transaction = db.transaction(['sessions', 'events']);
  const request: IDBRequest<unknown> = transaction.objectStore('sessions').get(key);
  const getLog = requestLog(transaction.objectStore('events'), key[0], -Infinity);
  await transactionDone(transaction);
  const head = await openListed(sealer, request.result);
  // The session has changed or was removed meanwhile, or cannot be decrypted.
  if (!isSummary(head)) return { text: '', isRunning: true };
  const { events } = toLog(await unlessForeign(openLog(sealer, getLog()), []));
  return { text: toSearchText(key[0], head.title, events), isRunning: head.status === 'running' };
}

async function store(db: IDBDatabase, made: readonly SealedText[]): Promise<void> {
  if (made.length === 0) return;
  const transaction = db.transaction(['sessions', 'texts'], 'readwrite', { durability: 'relaxed' });
  for (const { id, seq, row } of made) {
    const count = transaction.objectStore('sessions').count([id, seq]);
    count.addEventListener('success', () => {
      // Nothing of a removed session may be stored.
      if (count.result > 0) transaction.objectStore('texts').put(row, id);
    });
  }
  await transactionDone(transaction);
}
