import 'fake-indexeddb/auto';
import type { SessionWrite } from 'brooklet/core';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Packed } from '../../../src/storage/indexeddb/blobs.ts';
import { commit, type RowsWrite } from '../../../src/storage/indexeddb/commit.ts';
import { openDatabase } from '../../../src/storage/indexeddb/open-database.ts';
import { tamper, textAt, writeOf } from '../raw.ts';

let name: string;
let db: IDBDatabase;

beforeEach(async () => {
  name = `commit-${crypto.randomUUID()}`;
  db = await openDatabase(name, () => {}).database;
});

afterEach(async () => {
  vi.restoreAllMocks();
  db.close();
  await deleteDB(name);
});

/** The keys and values of a table. */
async function rowsOf(table: string): Promise<readonly (readonly [IDBValidKey, unknown])[]> {
  const store = db.transaction(table).objectStore(table);
  const [keys, values] = [store.getAllKeys(), store.getAll()];
  await new Promise((resolve) => values.addEventListener('success', resolve));
  return keys.result.map((key, index) => [key, values.result[index]]);
}

const keysIn = async (table: string) => (await rowsOf(table)).map(([key]) => key);

/** Whether a write is handed over to the browser within the call, so that it survives the end of the page. */
async function isHandedOver(write: RowsWrite, isKnown: boolean): Promise<boolean> {
  const asked = vi.spyOn(IDBTransaction.prototype, 'commit').mock;
  const before = asked.calls.length;
  const done = commit(db, write, isKnown);
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
    await commit(db, named(writeOf('a', 0, 1), 'log/0'), false);
    expect(await isHandedOver(named(writeOf('a', 1, 2), 'log/1', 'log/0'), true)).toBe(true);
  });

  test('unless the fence has to be read first', async () => {
    await commit(db, named(writeOf('a', 0, 1), 'log/0'), false);
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

  beforeEach(() => commit(db, named(writeOf('a', 0, 1), 'log/0'), false));

  test('where the fence is missing, although the write names the last one', async () => {
    await tamper(name, (transaction) => transaction.objectStore('fences').clear());
    await expect(commit(db, named(writeOf('a', 1, 2), 'log/1', 'log/0'), false)).rejects.toMatchObject(refused);
    expect(await keysIn('fences')).toEqual([]);
  });

  test('where another write ended with the same number', async () => {
    await expect(commit(db, named(writeOf('a', 1, 2), 'log/1', 'log/9'), false)).rejects.toMatchObject(refused);
    await expect(commit(db, named(writeOf('a', 1, 2), 'log/1', 'log/9'), true)).rejects.toThrow(
      expect.objectContaining({ name: 'ConstraintError' }),
    );
    expect(await keysIn('fences')).toEqual([stored]);
  });

  test('where the number is another one, and nothing of it is stored', async () => {
    await expect(commit(db, writeOf('a', 5, 6), true)).rejects.toMatchObject(refused);
    await expect(commit(db, writeOf('a', 0, 6), true)).rejects.toThrow(
      expect.objectContaining({ name: 'ConstraintError' }),
    );
    expect([await keysIn('fences'), await keysIn('events')]).toEqual([[stored], [['a', 1]]]);
  });
});

test('a write that names no last write is accepted after any that ended with its number', async () => {
  await commit(db, named(writeOf('a', 0, 1), 'log/0'), false);
  await commit(db, named(writeOf('a', 1, 2), 'log/1'), true);
  expect(await keysIn('fences')).toEqual([['a', 2, 'log/1']]);
});

describe('the row of the list', () => {
  test('stays while text streams, and is written with the session', async () => {
    await commit(db, { ...writeOf('a', 0, 1), phase: 'streaming' }, false);
    await commit(db, { ...writeOf('a', 1, 2), phase: 'streaming' }, true);
    expect(await keysIn('sessions')).toEqual([['a', 1]]);
    await commit(db, writeOf('a', 2, 3), true);
    expect(await keysIn('sessions')).toEqual([['a', 3]]);
  });
});

describe('the events of a log', () => {
  const packed: Packed = {
    rows: [textAt(1, '')],
    refs: [{ seq: 1, path: ['text'], hash: 'h' }],
    blobs: new Map([['h', 'a long text']]),
  };

  test('are stored with their large values and the references to them', async () => {
    expect(await commit(db, writeOf('a', 0, 1), false, packed)).toEqual([]);
    expect(await rowsOf('events')).toEqual([[['a', 1], textAt(1, '')]]);
    expect(await rowsOf('blobs')).toEqual([['h', 'a long text']]);
    expect(await rowsOf('refs')).toEqual([[['a', 1, 0], packed.refs[0]]]);
  });

  test('are replaced where a write says so, and the references that are gone are returned', async () => {
    await commit(db, writeOf('a', 0, 1), false, packed);
    await commit(db, writeOf('a', 1, 2, 3), true);
    const rewritten = { ...writeOf('a', 3, 5), replaces: [[1, 2] as const] };
    expect(await commit(db, rewritten, true)).toEqual(packed.refs);
    expect(await keysIn('events')).toEqual([
      ['a', 3],
      ['a', 5],
    ]);
    expect(await keysIn('refs')).toEqual([]);
  });

  test('of a removed session do not come back in a new one with its id', async () => {
    await commit(db, writeOf('a', 0, 1, 2, 3), false);
    await commit(db, writeOf('b', 0, 1), false);
    await tamper(name, (transaction) => {
      transaction.objectStore('fences').clear();
      transaction.objectStore('sessions').clear();
    });
    await commit(db, writeOf('a', 0, 1), false);
    expect(await keysIn('events')).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });
});
