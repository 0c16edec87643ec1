import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import type { SessionStore, StoredSession } from 'brooklet/core';
import { type CodecBytes, decryptStored, encryptStored, type StoreCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';

/** A database that an earlier version has written. */
interface Golden {
  readonly sessions: { readonly [id: string]: StoredSession };
  readonly tables: {
    readonly [table: string]: { readonly keys: readonly unknown[]; readonly values: readonly unknown[] };
  };
}

function readGolden(file: string): Golden {
  const text = readFileSync(new URL(`../golden/${file}.json`, import.meta.url), 'utf8');
  const golden: Golden = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? Uint8Array.from(Buffer.from(String(value.base64), 'base64'))
      : value,
  );
  return golden;
}

let name: string;
let codec: StoreCodec;
let stores: SessionStore[];

beforeEach(async () => {
  name = `golden-sealed-${crypto.randomUUID()}`;
  codec = await aesCodec();
  stores = [];
  await open().list();
});

afterEach(async () => {
  for (const store of stores) store.close();
  await deleteDB(name);
});

function open(its?: StoreCodec): SessionStore {
  const undoWindow = Number.MAX_SAFE_INTEGER;
  const store = createIndexedDBStore({ name, undoWindow, ...(its && { codec: its }) });
  stores.push(store);
  return store;
}

interface SealedRow {
  readonly sealed: CodecBytes;
}

async function rowAt(table: string, key: IDBValidKey): Promise<SealedRow> {
  const db = await openRaw(name);
  const request = db.transaction(table).objectStore(table).get(key);
  await new Promise((resolve) => request.addEventListener('success', resolve));
  db.close();
  const row: SealedRow = request.result;
  return row;
}

/** Returns the length of each segment of a row. */
function lengthsOf({ sealed }: SealedRow): readonly number[] {
  const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const lengths: number[] = [];
  for (let from = 9; from < sealed.length; from += 16 + (lengths.at(-1) ?? 0)) lengths.push(view.getUint32(from));
  return lengths;
}

describe.each([
  ['before notes and marks: encrypted, plain and mixed sessions, and rows of several segments', 'sealed-v1', 3],
  ['before rows of one segment: an event and a row of the list of two segments each', 'sealed-v2', 2],
])('a database that was encrypted by the version %s', (_version, file, segments) => {
  const golden = readGolden(file);

  beforeEach(async () => {
    await tamper(name, (transaction) => {
      for (const [table, { keys, values }] of Object.entries(golden.tables))
        for (const [index, value] of values.entries())
          transaction.objectStore(table).put(value, table === 'list' ? undefined : (keys[index] as IDBValidKey));
    });
  });

  async function expectAll(store: SessionStore): Promise<void> {
    for (const [id, session] of Object.entries(golden.sessions)) expect(await store.read(id)).toEqual(session);
    expect(await store.meta?.get('rule')).toEqual({ tool: 'search' });
  }

  test('is read, listed, searched and restored', async () => {
    const store = open(codec);
    await expectAll(store);
    expect((await store.list()).sessions.map(({ title }) => title).toSorted()).toEqual([
      'long',
      'mixed',
      'plain',
      'sealed',
    ]);
    expect((await store.list({ search: 'long' })).sessions).toHaveLength(1);
    expect(await store.restore?.('removed')).toBe(true);
    expect(await store.read('removed')).not.toHaveProperty('damage');
  });

  test('is written on, without a loss', async () => {
    const store = open(codec);
    for (const [id, { summary, events }] of Object.entries(golden.sessions)) {
      await store.write(writeOf(id, summary.seq, summary.seq + 1));
      const read = await open(codec).read(id);
      expect(read?.events.slice(0, -1)).toEqual(events);
      expect(read).not.toHaveProperty('damage');
    }
  });

  test('gets rows of one segment with its next write', async () => {
    const store = open(codec);
    const { seq } = golden.sessions.long?.summary ?? expect.unreachable();
    const { summary, ...write } = writeOf('long', seq, seq + 1);
    const note = 'note '.repeat(10_000);
    await store.write({ ...write, events: [textAt(seq + 1, note)], summary: { ...summary, metadata: { note } } });
    expect(lengthsOf(await rowAt('events', ['long', 1]))).toHaveLength(segments);
    expect(lengthsOf(await rowAt('events', ['long', seq + 1]))).toHaveLength(1);
    expect(lengthsOf(await rowAt('list', 'long'))).toHaveLength(1);
    const read = await open(codec).read('long');
    expect(read?.events.at(-1)).toEqual(textAt(seq + 1, note));
    expect(read?.summary.metadata).toEqual({ note });
  });

  test('refuses a row of several segments of which a byte was changed', async () => {
    const row = await rowAt('events', ['long', 1]);
    const [first = 0] = lengthsOf(row);
    // In the initialization vectors, the bytes and the tags of the first two segments.
    for (const position of [
      13,
      40,
      9 + 16 + first - 1,
      9 + 16 + first + 5,
      9 + 16 + first + 40,
      row.sealed.length - 1,
    ]) {
      const sealed = row.sealed.map((byte, index) => (index === position ? byte ^ 1 : byte));
      await tamper(name, (transaction) => transaction.objectStore('events').put({ ...row, sealed }, ['long', 1]));
      expect(await open(codec).read('long')).toMatchObject({ damage: '1 of its events' });
    }
  });

  test('is encrypted as a whole, and decrypted', async () => {
    await encryptStored(codec, { name });
    await expectAll(open(codec));
    await decryptStored(codec, { name });
    await expectAll(open());
  });
});
