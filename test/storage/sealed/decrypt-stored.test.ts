import 'fake-indexeddb/auto';
import { AgentError, type SessionStore } from 'brooklet';
import { type StoreCodec, decryptStored, defineCodec, encryptStored } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';
import { attachmentAt, canary, dump, writeCanary } from './canary.ts';
import { until } from '../../support/until.ts';

let name: string;
let codec: StoreCodec;
let stores: SessionStore[];

beforeEach(async () => {
  name = `decrypted-${crypto.randomUUID()}`;
  codec = await aesCodec();
  stores = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of stores) store.close();
  await deleteDB(name);
});

function open(its?: StoreCodec): SessionStore {
  const store = createIndexedDBStore({ name, ...(its && { codec: its }) });
  stores.push(store);
  return store;
}

/** Writes three sessions with a codec, one of them removed, and returns what a store with the codec reads of them. */
async function writeSealed(): Promise<ReadonlyMap<string, unknown>> {
  const store = open(codec);
  for (const id of ['a', 'b', 'removed']) await writeCanary(store, id);
  await store.write({ ...writeOf('b', 2, 3, 4), phase: 'streaming' });
  const read = new Map<string, unknown>();
  for (const id of ['a', 'b']) read.set(id, await store.read(id));
  await store.remove('removed');
  return read;
}

const isLocked = (thrown: unknown): boolean => thrown instanceof AgentError && thrown.code === 'STORAGE_LOCKED';

describe('decryptStored', () => {
  test('decrypts sessions, attachments, removed sessions and meta entries: a store without a codec reads the same', async () => {
    const before = await writeSealed();
    const progress: unknown[] = [];
    expect(await decryptStored(codec, { name, onProgress: (step) => progress.push(step) })).toEqual({ sessions: 3 });
    expect(progress).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })));
    expect(await dump(name)).not.toContain('"sealed"');

    const store = open();
    for (const [id, session] of before) expect(await store.read(id)).toEqual(session);
    expect((await store.list()).sessions.map(({ title }) => title)).toEqual([canary, canary]);
    expect(await store.meta?.get('annotations:a')).toEqual({ text: canary });
    expect((await store.list({ search: canary })).sessions).toHaveLength(2);
    expect(await store.restore?.('removed')).toBe(true);
    expect(JSON.stringify((await store.read('removed'))?.events)).toContain(canary.repeat(400));
    await store.write(writeOf('a', 2, 3));
    expect(await decryptStored(codec, { name })).toEqual({ sessions: 0 });
  });

  test('and encryptStored undo each other', async () => {
    const before = await writeSealed();
    await decryptStored(codec, { name });
    await encryptStored(codec, { name });
    expect(await dump(name)).not.toContain(canary);
    for (const [id, session] of before) expect(await open(codec).read(id)).toEqual(session);
  });

  test('stores an attachment under the name that a store without a codec gives it', async () => {
    await writeSealed();
    await decryptStored(codec, { name });
    await open().write({ ...writeOf('new', 0, 1), events: [attachmentAt(1)] });
    const db = await openRaw(name);
    const blobs = db.transaction('blobs').objectStore('blobs').count();
    await new Promise((resolve) => blobs.addEventListener('success', resolve));
    db.close();
    expect(blobs.result).toBe(1);
  });

  test('goes on after a page that vanished before any of its writes, and each session is whole meanwhile', async () => {
    const { transaction } = IDBDatabase.prototype;
    let isDone = false;
    let kills = 0;
    for (; !isDone; kills++) {
      const before = await writeSealed();
      let writes = 0;
      const dying = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
        this: IDBDatabase,
        ...given
      ) {
        if (given[1] === 'readwrite' && writes++ === kills) throw new DOMException('The page is gone.', 'AbortError');
        return transaction.apply(this, given);
      });
      isDone = await decryptStored(codec, { name }).then(
        () => true,
        () => false,
      );
      dying.mockRestore();
      const [sealed, plain] = [open(codec), open()];
      for (const [id, session] of before) {
        expect(await sealed.read(id)).toEqual(session);
        const read = await plain.read(id).catch((thrown: unknown) => thrown);
        if (!isLocked(read)) expect(read).toEqual(session);
      }
      await decryptStored(codec, { name });
      for (const [id, session] of before) expect(await plain.read(id)).toEqual(session);
      expect(await dump(name)).not.toContain('"sealed"');
      for (const store of stores.splice(0)) store.close();
      await deleteDB(name);
    }
    // Two writes for the attachment (its new name, its old one), one for each session and entry, one for the texts of searches, and two for the
    // note that everything is encrypted: what replaces it before all others, and its end.
    expect(kills - 1).toBe(2 + 3 + 3 + 1 + 2);
  });

  test('changes nothing with another key, and decrypts the rest where only some was encrypted with another key', async () => {
    const before = await writeSealed();
    const other = await aesCodec(8);
    const rows = await dump(name);
    const refused = { code: 'STORAGE_LOCKED', type: 'STORAGE', retryable: false };
    await expect(decryptStored(other, { name })).rejects.toMatchObject(refused);
    expect((await dump(name)) === rows).toBe(true);

    await open(other).write(writeOf('other', 0, 1));
    await expect(decryptStored(codec, { name })).rejects.toMatchObject(refused);
    for (const [id, session] of before) expect(await open().read(id)).toEqual(session);
    expect((await open(other).read('other'))?.events).toEqual([textAt(1)]);
    expect(await decryptStored(other, { name })).toEqual({ sessions: 1 });
  });

  test('ends at once, and changes nothing, while the key is locked', async () => {
    await writeSealed();
    const rows = await dump(name);
    const locked = new AgentError('Locked.', { code: 'STORAGE_LOCKED', retryable: true });
    const real = await codec.loadCodec();
    const decode = vi.fn<typeof real.decode>().mockRejectedValue(locked);
    await expect(decryptStored(defineCodec({ ...real, decode }), { name })).rejects.toBe(locked);
    expect(decode).toHaveBeenCalledTimes(1);
    expect((await dump(name)) === rows).toBe(true);
  });

  test('turns rows that were changed on the disk into damage of their session', async () => {
    await writeSealed();
    await tamper(name, (transaction) => {
      for (const [table, key] of [
        ['events', ['a', 1]],
        ['events', ['b', 4]],
      ] as const) {
        const rows = transaction.objectStore(table);
        const request = rows.get([...key]);
        request.addEventListener('success', () => rows.put(request.result, ['a', 2]));
      }
      for (const table of ['blobs', 'meta']) {
        const request = transaction.objectStore(table).openCursor();
        request.addEventListener('success', () => {
          const found = request.result;
          if (found === null) return;
          found.update({ ...found.value, sealed: 'none' });
          found.continue();
        });
      }
      const heads = transaction.objectStore('list').openCursor('b');
      heads.addEventListener('success', () => heads.result?.update({ ...heads.result.value, sealed: 'none' }));
    });
    await decryptStored(codec, { name });
    const store = open();
    expect(await store.read('a')).toMatchObject({
      events: [textAt(1, canary)],
      damage: '1 of its events, 1 of its attachments',
    });
    expect(await store.read('b')).toMatchObject({ damage: 'its row, 1 of its attachments' });
    expect((await store.list()).sessions.map(({ id, title }) => [id, title])).toEqual([
      ['b', ''],
      ['a', canary],
    ]);
    expect(await store.meta?.get('annotations:a')).toBeUndefined();
    expect(await dump(name)).not.toContain('"sealed"');
  });

  test('reads a session again that another tab has changed while it was decrypted', async () => {
    const sealed = open(codec);
    await sealed.write(writeOf('a', 0, 1, 2));
    const real = await codec.loadCodec();
    let rewriting: Promise<void> | undefined;
    const decode: typeof real.decode = async (...given) => {
      const joined = { ...writeOf('a', 2, 3), replaces: [[1, 2]] as const, events: [textAt(3, 'text 1text 2')] };
      await (rewriting ??= sealed.write(joined));
      return real.decode(...given);
    };
    await decryptStored(defineCodec({ ...real, decode }), { name });
    expect((await open().read('a'))?.events).toEqual([textAt(3, 'text 1text 2')]);
  });

  test('loses no write of a tab with the codec, and what that tab writes is never taken for damage', async () => {
    const sealed = open(codec);
    await sealed.write(writeOf('a', 0, 1));
    const work = decryptStored(codec, { name });
    for (let seq = 1; seq < 20; seq++) await sealed.write({ ...writeOf('a', seq, seq + 1), phase: 'streaming' });
    await work;
    await sealed.write({ ...writeOf('a', 20, 21), phase: 'streaming', events: [textAt(21)] });
    expect((await sealed.read('a'))?.events).toHaveLength(21);
    expect(
      isLocked(
        await open()
          .read('a')
          .catch((thrown: unknown) => thrown),
      ),
    ).toBe(true);
    await decryptStored(codec, { name });
    expect((await open().read('a'))?.events).toHaveLength(21);
  });

  test('notifies stores without the codec of each session, and their search finds it', async () => {
    await writeSealed();
    const plain = open();
    expect((await plain.list({ search: canary })).sessions).toEqual([]);
    const changed = new Set<string>();
    const subscription = plain.changes$?.subscribe((id) => changed.add(id));
    await decryptStored(codec, { name });
    await until(() => expect(Array.from(changed)).toEqual(['a', 'b', 'removed']));
    subscription?.unsubscribe();
    expect((await plain.list({ search: canary })).sessions).toHaveLength(2);
  });

  test('ends at its signal between two sessions', async () => {
    await writeSealed();
    const ending = new AbortController();
    const onProgress = (): void => ending.abort();
    const work = decryptStored(codec, { name, signal: ending.signal, onProgress });
    await expect(work).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await open().read('a'))?.events).toHaveLength(2);
    expect(
      isLocked(
        await open()
          .read('b')
          .catch((thrown: unknown) => thrown),
      ),
    ).toBe(true);
    expect(await decryptStored(codec, { name })).toEqual({ sessions: 2 });
  });
});
