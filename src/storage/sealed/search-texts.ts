import { isJsonObject } from '../../core/json.ts';
import { isSummary } from '../rows/rows.ts';
import { toLog } from '../rows/to-log.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import type { RowKey } from '../indexeddb/keys.ts';
import { readSession } from '../indexeddb/read-session.ts';
import { currentFilter } from '../indexeddb/search/session-keys.ts';
import { toSearchText } from '../search-text.ts';
import { openListed } from './heads.ts';
import { openLog } from './logs.ts';
import { type Place, type Sealer, strictly, unlessForeign } from './sealer.ts';

/** A row of the table `texts`: its `seq` is not encrypted, so that an outdated text is not decrypted. */
interface SealedText {
  readonly id: string;
  readonly seq: number;
  readonly row: object;
}

/** Returns the searched texts of sessions, and stores those of sessions that have changed since their last search. */
export async function readTexts(
  disk: SessionDisk,
  sealer: Sealer,
  keys: readonly RowKey[],
  isStrict: boolean,
): Promise<readonly string[]> {
  const its = isStrict ? strictly(sealer) : sealer;
  const rows = await disk.run(['texts'], 'readonly', (transaction) =>
    Promise.all(keys.map(([id]) => transaction.objectStore('texts').get(id))),
  );
  const made: SealedText[] = [];
  const texts = await Promise.all(
    keys.map(async (key, index) => {
      const text = await openText(its, key, rows[index]);
      if (text !== undefined) return text;
      const next = await makeText(disk, its, key, isStrict);
      if (!next.isRunning) made.push(await sealText(sealer, key, next.text));
      return next.text;
    }),
  );
  // Texts that cannot be stored, for example on a full disk, are made again by the next search.
  await store(disk, made).catch(() => {});
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
  disk: SessionDisk,
  sealer: Sealer,
  key: RowKey,
  isStrict: boolean,
): Promise<{ readonly text: string; readonly isRunning: boolean }> {
  const found = await readSession(disk, key[0], -Infinity, true);
  const head = await openListed(sealer, found?.row, isStrict);
  // The session was removed meanwhile, or cannot be decrypted.
  if (!found || !isSummary(head)) return { text: '', isRunning: true };
  const { events } = toLog(await unlessForeign(openLog(sealer, found.log), []));
  return {
    text: toSearchText(key[0], head.title, events),
    isRunning: head.status === 'running' || found.seq !== key[1],
  };
}

async function store(disk: SessionDisk, made: readonly SealedText[]): Promise<void> {
  if (made.length === 0) return;
  await disk.run(
    ['fences', 'texts'],
    'readwrite',
    async (transaction) => {
      const keyOf = ({ id, seq }: SealedText): RowKey => [id, seq];
      // Nothing of a removed session may be stored.
      const isCurrent = await currentFilter(transaction, made.map(keyOf));
      const current = made.filter((text) => isCurrent(keyOf(text)));
      await Promise.all(current.map(({ id, row }) => transaction.objectStore('texts').put(row, id)));
    },
    'relaxed',
  );
}
