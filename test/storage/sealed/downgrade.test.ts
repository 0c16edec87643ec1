import 'fake-indexeddb/auto';
import type { SessionStore } from 'brooklet';
import { type StoreCodec, decryptStored, encryptStored } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';
import { attachmentAt, writeCanary } from './canary.ts';

// Whoever writes to the disk has not got the key: what they can write without it decides nothing.

const noteKey = 'brooklet:sealed';
let name: string;
let codec: StoreCodec;
let stores: SessionStore[];

beforeEach(async () => {
  name = `downgrade-${crypto.randomUUID()}`;
  codec = await aesCodec();
  stores = [];
});

afterEach(async () => {
  for (const store of stores) store.close();
  await deleteDB(name);
});

function open(its?: StoreCodec): SessionStore {
  const store = createIndexedDBStore({ name, ...(its && { codec: its }) });
  stores.push(store);
  return store;
}

/** Returns a row as it is stored. */
async function rowOf(table: string, key: IDBValidKey): Promise<unknown> {
  const db = await openRaw(name);
  const request = db.transaction(table).objectStore(table).get(key);
  await new Promise((resolve) => request.addEventListener('success', resolve));
  db.close();
  return request.result;
}

const put = (table: string, value: unknown, key?: IDBValidKey): Promise<void> =>
  tamper(name, (transaction) => void transaction.objectStore(table).put(value, key));

const forgedRow = { ...writeOf('a', 1, 2).summary, title: 'Forged', status: 'waiting', metadata: { forged: true } };

/** How a database comes to have everything encrypted. */
const beginnings = {
  'begun with the codec': async () => {
    await writeCanary(open(codec));
  },
  'encrypted by encryptStored': async () => {
    const plain = open();
    await writeCanary(plain);
    await plain.write(writeOf('other', 0, 1));
    await encryptStored(codec, { name });
  },
};

describe.each(Object.entries(beginnings))('in a database %s, a plain row is damage', (_name, begin) => {
  beforeEach(async () => begin());

  test('in the place of an event', async () => {
    await put('events', textAt(1, 'forged'), ['a', 1]);
    const read = await open(codec).read('a');
    expect(read).toMatchObject({ damage: '1 of its events' });
    expect(JSON.stringify(read)).not.toContain('forged');
  });

  test('after the last event', async () => {
    await tamper(name, (transaction) => {
      transaction.objectStore('events').put(textAt(3, 'forged'), ['a', 3]);
      transaction.objectStore('fences').put(null, ['a', 2]);
      transaction.objectStore('fences').put('a', ['a', 3]);
    });
    const read = await open(codec).read('a');
    expect(read).toMatchObject({ damage: '1 of its events' });
    expect(read?.events).toHaveLength(2);
  });

  test('as the row of the list', async () => {
    await put('list', forgedRow);
    const store = open(codec);
    expect((await store.list()).sessions.find(({ id }) => id === 'a')).toMatchObject({ title: '', status: 'idle' });
    expect((await store.list({ where: { forged: true } })).sessions).toEqual([]);
    expect((await store.list({ search: 'Forged' })).sessions).toEqual([]);
    expect(await store.read('a')).toMatchObject({ damage: 'its row' });
  });

  test('as an attachment', async () => {
    const { hash } = (await rowOf('refs', ['a', 2, 0])) as { readonly hash: string };
    await put('blobs', 'forged', hash);
    const read = await open(codec).read('a');
    expect(read).toMatchObject({ damage: '1 of its attachments' });
    expect(JSON.stringify(read)).not.toContain('forged');
  });

  test('as a session of its own', async () => {
    await tamper(name, (transaction) => {
      transaction.objectStore('events').put(textAt(1, 'forged'), ['new', 1]);
      transaction.objectStore('fences').put('new', ['new', 1]);
      transaction.objectStore('list').put({ ...forgedRow, id: 'new', seq: 1 });
    });
    const store = open(codec);
    expect(await store.read('new')).toMatchObject({ events: [], damage: 'its row, 1 of its events' });
    expect((await store.list()).sessions.find(({ id }) => id === 'new')?.title).toBe('');
  });

  test('as an entry, from which no decision follows', async () => {
    await put('meta', { text: 'forged' }, 'annotations:a');
    await put('meta', [{ tool: 'pay' }], 'rules');
    const store = open(codec);
    expect([await store.meta?.get('annotations:a'), await store.meta?.get('rules')]).toEqual([undefined, undefined]);
    const seen: unknown[] = [];
    await store.meta?.update('rules', (value) => void seen.push(value));
    expect(seen).toEqual([undefined]);
  });

  test('as a text of a search', async () => {
    const store = open(codec);
    await store.list({ search: 'nothing' });
    await put('texts', { seq: 2, text: 'findme' }, 'a');
    expect((await store.list({ search: 'findme' })).sessions).toEqual([]);
  });

  test('and is not encrypted by a later write, or by encryptStored', async () => {
    await put('events', textAt(1, 'forged'), ['a', 1]);
    const store = open(codec);
    await store.write({ ...writeOf('a', 2, 3), phase: 'streaming' });
    expect(await encryptStored(codec, { name })).toEqual({ sessions: 0 });
    expect(await rowOf('events', ['a', 1])).toEqual(textAt(1, 'forged'));
    expect(await open(codec).read('a')).toMatchObject({ damage: '1 of its events' });
  });

  test.each([
    ['erased', undefined],
    ['replaced by a plain one', 'open'],
    ['changed', { codec: 'aes-256-gcm', sealed: new Uint8Array(0) }],
  ])('also where its note is %s', async (_how, value) => {
    await tamper(name, (transaction) => {
      const meta = transaction.objectStore('meta');
      if (value === undefined) meta.delete(noteKey);
      else meta.put(value, noteKey);
      transaction.objectStore('events').put(textAt(1, 'forged'), ['a', 1]);
    });
    expect(await open(codec).read('a')).toMatchObject({ damage: '1 of its events' });
  });

  test('until decryptStored has ended, which loses nothing', async () => {
    const before = await open(codec).read('a');
    await decryptStored(codec, { name });
    expect(await rowOf('meta', noteKey)).toBeUndefined();
    expect(await open().read('a')).toEqual(before);
    expect(await open(codec).read('a')).toEqual(before);
  });
});

describe('a session with encrypted rows, in a database with others', () => {
  test('has no plain one: its first write with the codec encrypts those before', async () => {
    const plain = open();
    await plain.write({ ...writeOf('a', 0, 1, 2), events: [textAt(1), attachmentAt(2)] });
    await plain.write(writeOf('b', 0, 1));
    const store = open(codec);
    expect(await store.read('a')).toEqual(await plain.read('a'));
    await store.write(writeOf('a', 2, 3));
    expect(await rowOf('events', ['a', 1])).toHaveProperty('sealed');
    expect((await store.read('a'))?.events).toHaveLength(3);
    expect(await store.read('b')).toEqual(await plain.read('b'));
    await put('events', textAt(1, 'forged'), ['a', 1]);
    expect(await open(codec).read('a')).toMatchObject({ damage: '1 of its events' });
  });

  test('that an earlier version has mixed is read, and encrypted by its next write', async () => {
    const plain = open();
    await plain.write(writeOf('a', 0, 1));
    await plain.write(writeOf('b', 0, 1));
    const store = open(codec);
    await store.write(writeOf('a', 1, 2));
    await put('events', textAt(1), ['a', 1]);
    // An earlier version wrote no mark into the row of the list.
    await put('list', { ...writeOf('a', 1, 2).summary });
    const later = open(codec);
    expect((await later.read('a'))?.events).toEqual([textAt(1), textAt(2)]);
    expect(await later.read('a')).not.toHaveProperty('damage');
    await later.write(writeOf('a', 2, 3));
    expect(await rowOf('events', ['a', 1])).toHaveProperty('sealed');
    expect((await open(codec).read('a'))?.events).toEqual([textAt(1), textAt(2), textAt(3)]);
  });
});

test('a reference puts an attachment into no other place than its own', async () => {
  const store = open(codec);
  await writeCanary(store);
  const ref = (await rowOf('refs', ['a', 2, 0])) as object;
  await put('refs', { ...ref, seq: 1, path: ['text'] }, ['a', 2, 0]);
  const read = await open(codec).read('a');
  expect(read?.events[0]).toMatchObject({ text: expect.stringMatching(/^kQ7vXw2LmZ9tRb4N$/) });
  expect(read).toMatchObject({ damage: '1 of its attachments' });
});
