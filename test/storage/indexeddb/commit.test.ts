import 'fake-indexeddb/auto';
import type { SessionWrite } from 'brooklet/core';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Packed } from '../../../src/storage/indexeddb/blobs.ts';
import { cleanUp } from '../../../src/storage/indexeddb/clean-up.ts';
import { commit as commitTo, type RowsWrite } from '../../../src/storage/indexeddb/commit.ts';
import { createDisk } from '../../../src/storage/disk.ts';
import { openDatabase } from '../../../src/storage/indexeddb/open-database.ts';
import type { Database, SessionDisk } from '../../../src/storage/indexeddb/schema.ts';
import { createWriter } from '../../../src/storage/indexeddb/writer.ts';
import { createPageLife } from '../../../src/storage/page-life.ts';
import { tamper, textAt, writeOf } from '../raw.ts';

let name: string;
let db: Database;
let disk: SessionDisk;

beforeEach(async () => {
  name = `commit-${crypto.randomUUID()}`;
  db = await openDatabase(name, () => {}).database;
  disk = createDisk(db, createPageLife());
});

afterEach(async () => {
  vi.restoreAllMocks();
  db.close();
  await deleteDB(name);
});

/** The keys and values of a table. */
async function rowsOf(
  table: 'fences' | 'list' | 'events' | 'covers' | 'refs' | 'blobs',
): Promise<readonly (readonly [IDBValidKey, unknown])[]> {
  const [keys, values] = [await db.getAllKeys(table), await db.getAll(table)];
  return keys.map((key, index) => [key, values[index]]);
}

const keysIn = async (table: Parameters<typeof rowsOf>[0]) => (await rowsOf(table)).map(([key]) => key);

const commit = (write: RowsWrite, isKnown: boolean, packed?: Packed) => commitTo(disk, write, { isKnown, packed });

/** The keys of the fences that were not released. */
const liveFences = async () => (await rowsOf('fences')).filter(([, value]) => value !== null).map(([key]) => key);

/** Whether a write is handed over to the browser within the call, so that it survives the end of the page. */
async function isHandedOver(write: RowsWrite, isKnown: boolean): Promise<boolean> {
  const asked = vi.spyOn(IDBTransaction.prototype, 'commit').mock;
  const before = asked.calls.length;
  const done = commit(write, isKnown);
  const isAsked = asked.calls.length > before;
  await done;
  return isAsked;
}

const named = (write: SessionWrite, writeId: string, expectedWriteId?: string): SessionWrite => ({
  ...write,
  writeId,
  ...(expectedWriteId !== undefined && { expectedWriteId }),
});

describe('a write of a page that is being unloaded is handed over within the call', () => {
  test('if its session is new', async () => {
    expect(await isHandedOver(writeOf('a', 0, 1), false)).toBe(true);
  });

  test('if it names the last write of a session whose fence this connection has seen', async () => {
    await commit(named(writeOf('a', 0, 1), 'log/0'), false);
    expect(await isHandedOver(named(writeOf('a', 1, 2), 'log/1', 'log/0'), true)).toBe(true);
  });

  test('unless the fence has to be read first', async () => {
    await commit(named(writeOf('a', 0, 1), 'log/0'), false);
    expect(await isHandedOver(named(writeOf('a', 1, 2), 'log/1', 'log/0'), false)).toBe(false);
    expect(await isHandedOver(named(writeOf('a', 2, 3), 'log/2'), true)).toBe(false);
  });

  test('unless it has so many rows that adding them at once would block the page', async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(await isHandedOver(writeOf('a', 0, ...numbers(999)), false)).toBe(true);
    expect(await isHandedOver(writeOf('b', 0, ...numbers(1_000)), false)).toBe(false);
    const long = numbers(64).map((seq) => textAt(seq, 'x'.repeat(31_000)));
    const settled = (sessionId: string, count: number) =>
      isHandedOver({ ...writeOf(sessionId, 0, 64), phase: 'settled', events: long.slice(0, count) }, false);
    expect([await settled('c', 63), await settled('d', 64)]).toEqual([true, false]);
    expect(await keysIn('events')).toHaveLength(999 + 1_000 + 63 + 64);
  });
});

describe('a write is refused', () => {
  const refused = { code: 'STORAGE_CONFLICT' };
  const stored = ['a', 1, 'log/0'];

  beforeEach(() => commit(named(writeOf('a', 0, 1), 'log/0'), false));

  test('where the fence is missing, although the write names the last one', async () => {
    await tamper(name, (transaction) => transaction.objectStore('fences').clear());
    await expect(commit(named(writeOf('a', 1, 2), 'log/1', 'log/0'), false)).rejects.toMatchObject(refused);
    expect(await liveFences()).toEqual([]);
  });

  test('where another write ended with the same number', async () => {
    await expect(commit(named(writeOf('a', 1, 2), 'log/1', 'log/9'), false)).rejects.toMatchObject(refused);
    await expect(commit(named(writeOf('a', 1, 2), 'log/1', 'log/9'), true)).rejects.toThrow(
      expect.objectContaining({ name: 'ConstraintError' }),
    );
    expect(await liveFences()).toEqual([stored]);
  });

  test('where the number is another one, and nothing of it is stored', async () => {
    await expect(commit(writeOf('a', 5, 6), true)).rejects.toMatchObject(refused);
    await expect(commit(writeOf('a', 0, 6), true)).rejects.toThrow(
      expect.objectContaining({ name: 'ConstraintError' }),
    );
    expect([await liveFences(), await keysIn('events')]).toEqual([[stored], [['a', 1]]]);
  });
});

test('a write that names no last write is accepted after any that ended with its number', async () => {
  await commit(named(writeOf('a', 0, 1), 'log/0'), false);
  await commit(named(writeOf('a', 1, 2), 'log/1'), true);
  expect(await liveFences()).toEqual([['a', 2, 'log/1']]);
});

describe('the row of the list', () => {
  const seqsInList = async () =>
    (await rowsOf('list')).map(([key, row]) => [key, row instanceof Object && 'seq' in row ? row.seq : undefined]);

  test('stays while text streams, and is written with the session', async () => {
    await commit({ ...writeOf('a', 0, 1), phase: 'streaming' }, false);
    await commit({ ...writeOf('a', 1, 2), phase: 'streaming' }, true);
    expect(await seqsInList()).toEqual([['a', 1]]);
    await commit(writeOf('a', 2, 3), true);
    expect(await seqsInList()).toEqual([['a', 3]]);
  });
});

describe('the events of a log', () => {
  const packed: Packed = {
    rows: [textAt(1, '')],
    refs: [{ seq: 1, path: ['text'], hash: 'h' }],
    blobs: new Map([['h', 'a long text']]),
  };

  test('are stored with their large values and the references to them', async () => {
    await commit(writeOf('a', 0, 1), false, packed);
    expect(await rowsOf('events')).toEqual([[['a', 1], textAt(1, '')]]);
    expect(await rowsOf('blobs')).toEqual([['h', 'a long text']]);
    expect(await rowsOf('refs')).toEqual([[['a', 1, 0], packed.refs[0]]]);
  });

  test('stay beside what replaces them until they are cleaned up, with their references and blobs', async () => {
    await commit(writeOf('a', 0, 1), false, packed);
    await commit(writeOf('a', 1, 2, 3), true);
    await commit({ ...writeOf('a', 3, 5), replaces: [[1, 2]] }, true);
    const seqs = async () => (await keysIn('events')).map((key) => Array.isArray(key) && key[1]);
    expect([await seqs(), await keysIn('covers'), (await keysIn('refs')).length]).toEqual([
      [1, 2, 3, 5],
      [['a', 5]],
      1,
    ]);
    for (let twice = 0; twice < 2; twice++) {
      await cleanUp(disk, 'a');
      expect([await seqs(), await keysIn('covers'), await keysIn('refs'), await keysIn('blobs')]).toEqual([
        [3, 5],
        [],
        [],
        [],
      ]);
      expect(await keysIn('fences')).toEqual([['a', 5]]);
    }
  });

  test('keep a blob that another session refers to', async () => {
    await commit(writeOf('a', 0, 1), false, packed);
    await commit(writeOf('b', 0, 1), false, packed);
    await commit({ ...writeOf('a', 1, 2), replaces: [[1, 1]] }, true);
    await cleanUp(disk, 'a');
    expect([await keysIn('refs'), await keysIn('blobs')]).toEqual([[['b', 1, 0]], ['h']]);
  });

  test('of a removed session do not come back in a new one with its id', async () => {
    await commit(writeOf('a', 0, 1, 2, 3), false);
    await commit(writeOf('b', 0, 1), false);
    await tamper(name, (transaction) => {
      transaction.objectStore('fences').put(null, ['a', 3]);
      transaction.objectStore('fences').put('a', ['a', 0]);
    });
    await createWriter(disk).put(writeOf('a', 0, 1));
    expect(await keysIn('events')).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(await liveFences()).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });
});
