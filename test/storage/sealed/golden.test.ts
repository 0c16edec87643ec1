import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import type { SessionStore, StoredSession } from 'brooklet/core';
import { decryptStored, encryptStored, type StoreCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { tamper, writeOf } from '../raw.ts';

/** A database that an earlier version has written. */
interface Golden {
  readonly sessions: { readonly [id: string]: StoredSession };
  readonly tables: {
    readonly [table: string]: { readonly keys: readonly unknown[]; readonly values: readonly unknown[] };
  };
}

function readGolden(file: string): Golden {
  const text = readFileSync(new URL(`../golden/${file}.json`, import.meta.url), 'utf8');
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? Uint8Array.from(Buffer.from(String(value.base64), 'base64'))
      : value,
  );
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

describe.each([
  ['before notes and marks: encrypted, plain and mixed sessions, and rows of several segments', 'sealed-v1'],
  ['before rows of one segment: an event and a row of the list of two segments each', 'sealed-v2'],
])('a database that was encrypted by the version %s', (_version, file) => {
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

  test('is encrypted as a whole, and decrypted', async () => {
    await encryptStored(codec, { name });
    await expectAll(open(codec));
    await decryptStored(codec, { name });
    await expectAll(open());
  });
});
