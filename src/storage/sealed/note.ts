import { isJsonObject } from '../../core/json.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { rescueKey } from '../indexeddb/schema.ts';
import { isSealed } from '../rows/sealed-row.ts';
import { markOf } from './heads.ts';
import { type Sealer, unlessForeign } from './sealer.ts';

// A database in which everything is encrypted has a note of that, an entry of `meta` that only the key can make. While it is there, a row that is
// not encrypted is damage. `decryptStored` replaces it first, by a note that says so.

/** The key of the note in `meta`. */
export const noteKey = 'brooklet:sealed';

/** `all`: everything is encrypted. `open`: rows are decrypted at this time. `damaged`: somebody without the key has changed the note. */
type Note = 'all' | 'open' | 'damaged';

const place = ['meta', noteKey] as const;

/** What a connection knows of the database. */
export interface Strictness {
  /** Resolves with whether a row that is not encrypted is damage. Rejects as the codec does. */
  look(): Promise<boolean>;
  /** The answer of the last look. */
  isStrict(): boolean;
  /** Called after a write: notes a database that was begun with the codec. */
  noteBeginning(): Promise<void> | undefined;
}

export function createStrictness(disk: SessionDisk, sealer: Sealer): Strictness {
  let isStrict = false;
  /** Text of the note that was last read, and what it says. */
  let known: readonly [text: string, note: Note | undefined] | undefined;
  /** Whether the rows say that a note was there, which is missing now. */
  let wasErased: Promise<boolean> | undefined;
  /** Asked before the first write of this connection. */
  const hasNoPlainRow = isFewAndSealed(disk).catch(() => false);
  let noting: Promise<void> | undefined;

  async function noteIfBegun(): Promise<void> {
    if (!(await hasNoPlainRow)) return;
    const note = await sealer.seal('all', place);
    await disk.run(['meta'], 'readwrite', async (transaction) => {
      const meta = transaction.objectStore('meta');
      if ((await meta.get(noteKey)) === undefined) await meta.put(note, noteKey);
    });
    isStrict = true;
  }

  return {
    isStrict: () => isStrict,
    async look() {
      const row = await readRow(disk);
      const text = isSealed(row) ? String(row.sealed) : JSON.stringify([row]);
      if (known?.[0] !== text) known = [text, await openNote(sealer, row)];
      const [, note] = known;
      isStrict =
        note === 'all' ||
        note === 'damaged' ||
        (note === undefined && (await (wasErased ??= hasMarkOfAll(disk, sealer))));
      return isStrict;
    },
    noteBeginning() {
      // A page without the note works as before.
      return (noting ??= noteIfBegun().catch(() => {}));
    },
  };
}

/** Resolves with whether everything in the database is encrypted, as its note says. */
export async function isAllSealed(disk: SessionDisk, sealer: Sealer): Promise<boolean> {
  return createStrictness(disk, sealer).look();
}

/** Notes that everything is encrypted. */
export async function noteAll(disk: SessionDisk, sealer: Sealer): Promise<void> {
  await putNote(disk, sealer, 'all');
}

/** Notes that rows are being decrypted. A note of another key stays. */
export async function noteOpen(disk: SessionDisk, sealer: Sealer): Promise<void> {
  const row = await readRow(disk);
  if (row !== undefined && (await openNote(sealer, row)) === undefined) return;
  if (row !== undefined || (await hasMarkOfAll(disk, sealer))) await putNote(disk, sealer, 'open');
}

/** Erases the note of this key. */
export async function eraseNote(disk: SessionDisk, sealer: Sealer): Promise<void> {
  if ((await openNote(sealer, await readRow(disk))) === undefined) return;
  await disk.run(['meta'], 'readwrite', (transaction) => transaction.objectStore('meta').delete(noteKey));
}

async function putNote(disk: SessionDisk, sealer: Sealer, note: Note): Promise<void> {
  const row = await sealer.seal(note, place);
  await disk.run(['meta'], 'readwrite', (transaction) => transaction.objectStore('meta').put(row, noteKey));
}

function readRow(disk: SessionDisk): Promise<unknown> {
  return disk.run(['meta'], 'readonly', (transaction) => transaction.objectStore('meta').get(noteKey));
}

/** Resolves with `undefined` where there is no note, or one of another key. */
async function openNote({ openSealed }: Sealer, row: unknown): Promise<Note | undefined> {
  if (row === undefined) return undefined;
  if (!isSealed(row)) return 'damaged';
  const note = await unlessForeign(
    openSealed(row, place).then((value) => value ?? 'damaged'),
    undefined,
  );
  return note === undefined || note === 'all' || note === 'open' ? note : 'damaged';
}

/** Rows of the list that are looked at for a mark. */
const looked = 32;

/** An encrypted row of the list. */
interface NewestHead {
  readonly sessionId: string;
  readonly row: unknown;
}

/** Resolves with the newest encrypted rows of the list. */
export function newestHeads(disk: SessionDisk): Promise<readonly NewestHead[]> {
  return disk.run(['list'], 'readonly', async (transaction) => {
    const found: NewestHead[] = [];
    let row = await transaction.objectStore('list').index('updated').openCursor(null, 'prev');
    for (; row !== null && found.length < looked; row = await row.continue())
      if (isSealed(row.value)) found.push({ sessionId: row.primaryKey, row: row.value });
    return found;
  });
}

/** Resolves with whether one of the newest rows of the list says that everything was encrypted when it was written. */
async function hasMarkOfAll(disk: SessionDisk, sealer: Sealer): Promise<boolean> {
  const rows = await newestHeads(disk);
  const marks = await Promise.all(rows.map(({ row }) => unlessForeign(markOf(sealer, row), undefined)));
  return marks.includes('all');
}

/** Sessions of a database that may still be one that was just begun. */
const few = 16;

/** Resolves with whether the database has few sessions, and nothing that is not encrypted. */
function isFewAndSealed(disk: SessionDisk): Promise<boolean> {
  return disk.run(['list', 'events', 'blobs', 'meta'], 'readonly', async (transaction) => {
    const list = transaction.objectStore('list');
    if ((await list.count()) > few) return false;
    const [rows, events, blobs, keys, entries] = await Promise.all([
      list.getAll(),
      transaction.objectStore('events').getAll(),
      transaction.objectStore('blobs').getAll(),
      transaction.objectStore('meta').getAllKeys(),
      transaction.objectStore('meta').getAll(),
    ]);
    const heads = rows.map((row) => (isJsonObject(row) && row.seq === 0 ? row.row : row));
    const values = entries.filter((_entry, index) => keys[index] !== rescueKey);
    return [...heads, ...events, ...blobs, ...values].every(isSealed);
  });
}
