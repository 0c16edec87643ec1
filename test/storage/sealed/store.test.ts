import 'fake-indexeddb/auto';
import { AgentError, createAgent, type SessionStore, type SessionSummary } from 'brooklet';
import { decryptStored, defineCodec, type StoreCodec, encryptStored } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { createGate } from '../../support/gate.ts';
import { createManualClient } from '../../support/manual-client.ts';
import { createManualPorts } from '../../support/ports.ts';
import { until } from '../../support/until.ts';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';
import { attachmentAt, canary, dump, writeCanary } from './canary.ts';

let name: string;
let codec: StoreCodec;
let stores: SessionStore[];

beforeEach(async () => {
  name = `sealed-${crypto.randomUUID()}`;
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

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof AgentError ? thrown.code : String(thrown);
}

describe('a store with a codec', () => {
  test('stores no text that can be read, where a store without it stores the text', async () => {
    await writeCanary(open());
    expect(await dump(name)).toContain(canary);
    await deleteDB(name);

    const store = open(codec);
    await writeCanary(store);
    expect(await dump(name)).not.toContain(canary);
    expect(await dump(name)).not.toContain(canary.toLowerCase());
    expect((await store.list({ search: canary })).sessions).toHaveLength(1);
    expect((await store.list({ where: { note: canary } })).sessions).toHaveLength(1);
    expect(JSON.stringify((await open(codec).read('a'))?.events)).toContain(canary.repeat(400));
  });

  test('lists the sessions that wait, and keeps their calls from a reader of the disk', async () => {
    const waiting = [{ callId: 'c', name: canary, kind: 'question', requestedAt: 7, label: `${canary}?` }] as const;
    const store = open(codec);
    const { summary, ...write } = writeOf('a', 0, 1);
    await store.write({ ...write, summary: { ...summary, status: 'waiting', waiting } });
    await store.write(writeOf('b', 0, 1));
    expect(await dump(name)).not.toContain(canary);
    expect((await open(codec).list({ waiting: true })).sessions).toEqual([{ ...summary, status: 'waiting', waiting }]);
  });

  test('finds the sessions that wait after its rows were encrypted, and after they were decrypted', async () => {
    const plain = open();
    const { summary, ...write } = writeOf('a', 0, 1);
    const waits: SessionSummary = { ...summary, status: 'waiting' };
    await plain.write({ ...write, summary: waits });
    await plain.write(writeOf('b', 0, 1));
    await encryptStored(codec, { name });
    expect((await open(codec).list({ waiting: true })).sessions).toEqual([waits]);
    await decryptStored(codec, { name });
    expect((await plain.list({ waiting: true })).sessions).toEqual([waits]);
  });

  test('begins the encryption of a write within its call, once the codec is ready', async () => {
    const store = open(codec);
    await store.write(writeOf('a', 0, 1));
    const encrypt = vi.spyOn(crypto.subtle, 'encrypt');
    const writing = store.write(writeOf('a', 1, 2, 3));
    // The row of the list, and two events.
    expect(encrypt).toHaveBeenCalledTimes(3);
    await writing;
    expect((await store.read('a'))?.events).toEqual([textAt(1), textAt(2), textAt(3)]);
  });

  test('reads what was stored without it, and encrypts a session with its next write', async () => {
    const plain = open();
    await plain.write({ ...writeOf('a', 0, 1), summary: { ...writeOf('a', 0, 1).summary, title: canary } });
    const store = open(codec);
    expect(await store.read('a')).toEqual(await plain.read('a'));
    // A row of the list that the write would defer is written, because it tells that the session is encrypted.
    await store.write({ ...writeOf('a', 1, 2), phase: 'streaming' });
    expect(await codeOf(plain.read('a'))).toBe('STORAGE_LOCKED');
    expect((await store.read('a'))?.events).toEqual([textAt(1), textAt(2)]);
  });

  test('binds each row to its place: a row in the place of another is damage', async () => {
    const store = open(codec);
    await store.write(writeOf('a', 0, 1, 2));
    await store.write(writeOf('b', 0, 1, 2));
    await tamper(name, (transaction) => {
      const events = transaction.objectStore('events');
      const request = events.get(['a', 1]);
      request.addEventListener('success', () => events.put(request.result, ['b', 1]));
    });
    expect(await store.read('b')).toMatchObject({ events: [textAt(2)], damage: '1 of its events' });
    expect(await store.read('a')).not.toHaveProperty('damage');
  });

  test.each([undefined, null, 7, 'text', [], {}, new Uint8Array(0), new Uint8Array(300)])(
    'takes a row whose encrypted part is %o for damage',
    async (sealed) => {
      const store = open(codec);
      await store.write({ ...writeOf('a', 0, 1, 2), events: [attachmentAt(1), textAt(2)] });
      await tamper(name, (transaction) => {
        for (const table of ['events', 'list', 'blobs']) {
          const request = transaction.objectStore(table).openCursor();
          request.addEventListener('success', () => {
            const found = request.result;
            if (found === null) return;
            found.update({ ...found.value, sealed });
            found.continue();
          });
        }
      });
      const refused = { code: 'STORAGE_LOCKED' };
      const read = await store.read('a').catch((thrown: unknown) => thrown);
      // Bytes of no format are those of another key.
      if (sealed instanceof Uint8Array) expect(read).toMatchObject(refused);
      else expect(read).toMatchObject({ damage: 'its row, 2 of its events, 1 of its attachments' });
      expect((await store.list()).sessions).toMatchObject([{ id: 'a', title: '', seq: 2 }]);
      expect((await store.list({ search: 'text' })).sessions).toEqual([]);
    },
  );

  test('writes the row of the list of a session that another tab has replaced without the codec', async () => {
    const [store, plain] = [open(codec), open()];
    await store.write(writeOf('a', 0, 1));
    await plain.remove('a');
    await plain.write({ ...writeOf('a', 0, 1), summary: { ...writeOf('a', 0, 1).summary, title: canary } });
    await store.read('a');
    await store.write({ ...writeOf('a', 1, 2), phase: 'streaming' });
    expect(await codeOf(plain.read('a'))).toBe('STORAGE_LOCKED');
    expect(await dump(name)).not.toContain(canary);
  });

  test('keeps what two tabs change in one meta entry at the same time', async () => {
    const [one, two] = [open(codec), open(codec)];
    const add = (value: unknown) => Number(value ?? 0) + 1;
    const changing = Array.from({ length: 10 }, async (_, index) => (index % 2 ? one : two).meta?.update('count', add));
    await Promise.all(changing);
    expect(await one.meta?.get('count')).toBe(10);
  });

  test('removes a session for good, and restores it before', async () => {
    const store = open(codec);
    await writeCanary(store);
    const before = await store.read('a');
    await store.remove('a');
    expect((await store.list()).sessions).toEqual([]);
    await store.restore?.('a');
    expect(await store.read('a')).toEqual(before);
    expect((await store.list()).sessions).toEqual([before?.summary]);
  });
});

describe('writes to one session, called one after the other, of a store with a codec', () => {
  /** Opens a store whose codec encrypts some events of the session `a` only when their gates open. */
  async function openSlow(...seqs: readonly number[]) {
    const inner = await codec.loadCodec();
    const gates = new Map(seqs.map((seq) => [`["event","a",${seq}]`, createGate()]));
    const slow = defineCodec({
      ...inner,
      async encode(bytes, place) {
        await gates.get(place)?.opened;
        return inner.encode(bytes, place);
      },
    });
    const gateOf = (seq: number) => gates.get(`["event","a",${seq}]`) ?? expect.unreachable();
    return { store: open(slow), gateOf };
  }

  test('are stored in the order of the calls, however long each is encrypted', async () => {
    const { store, gateOf } = await openSlow(2, 3);
    await store.write(writeOf('a', 0, 1));
    const ends: number[] = [];
    const writing = [2, 3, 4].map((seq) => store.write(writeOf('a', seq - 1, seq)).then(() => ends.push(seq)));
    gateOf(3).open();
    await store.write(writeOf('b', 0, 1));
    expect(ends).toEqual([]);
    gateOf(2).open();
    await Promise.all(writing);
    expect(ends).toEqual([2, 3, 4]);
    expect((await open(codec).read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test('do not wait for an attachment of another session', async () => {
    const { store, gateOf } = await openSlow(1);
    const writing = store.write({ ...writeOf('a', 0, 1), events: [attachmentAt(1)] });
    await store.write(writeOf('b', 0, 1));
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(['b']);
    gateOf(1).open();
    await writing;
    expect((await store.read('a'))?.events).toEqual([attachmentAt(1)]);
  });

  test('are refused behind one that cannot be encrypted, which is answered first, and can be repeated', async () => {
    const { store, gateOf } = await openSlow(2);
    await store.write(writeOf('a', 0, 1));
    const answers: (string | undefined)[] = [];
    const writing = [2, 3].map(async (seq) => answers.push(await codeOf(store.write(writeOf('a', seq - 1, seq)))));
    gateOf(2).fail(new AgentError('There is no key.', { code: 'STORAGE_LOCKED', retryable: true }));
    await Promise.all(writing);
    expect(answers).toEqual(['STORAGE_LOCKED', 'STORAGE_CONFLICT']);
    const later = open(codec);
    expect((await later.read('a'))?.events).toEqual([textAt(1)]);
    await later.write(writeOf('a', 1, 2));
    await store.write(writeOf('a', 2, 3));
    expect((await store.read('a'))?.events).toHaveLength(3);
  });

  test('are answered in the order of the calls, also where a later one cannot be encrypted', async () => {
    const { store, gateOf } = await openSlow(2, 3);
    await store.write(writeOf('a', 0, 1));
    const answers: (string | undefined)[] = [];
    const writing = [2, 3].map(async (seq) => answers.push(await codeOf(store.write(writeOf('a', seq - 1, seq)))));
    gateOf(3).fail(new AgentError('There is no key.', { code: 'STORAGE_LOCKED', retryable: true }));
    await store.write(writeOf('b', 0, 1));
    expect(answers).toEqual([]);
    gateOf(2).open();
    await Promise.all(writing);
    expect(answers).toEqual(['undefined', 'STORAGE_LOCKED']);
  });

  test.each(['read', 'remove'] as const)('come before what is called after them: %s', async (verb) => {
    const { store, gateOf } = await openSlow(1, 2);
    await store.list();
    const writing = [store.write(writeOf('a', 0, 1)), store.write(writeOf('a', 1, 2))];
    const ends: unknown[] = [];
    const calling = store[verb]('a').then((found) => ends.push(found));
    gateOf(1).open();
    // As many steps as the verb needs, and more.
    for (let round = 0; round < 3; round++) await store[verb]('b');
    expect(ends).toEqual([]);
    gateOf(2).open();
    await Promise.all([...writing, calling]);
    expect(ends).toMatchObject([verb === 'read' ? { events: [textAt(1), textAt(2)] } : true]);
    expect((await store.list()).sessions).toHaveLength(verb === 'read' ? 1 : 0);
  });
});

test.each([
  ['hidden', false],
  ['left', true],
])('a page that is %s in the middle of a text begins to encrypt it within the call', async (_how, leaving) => {
  const [client, ports] = [createManualClient(), createManualPorts()];
  const agent = createAgent({ client, ports, store: open(codec) });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  void session.send('Hello');
  await until(() => client.last());
  await session.flushed();
  client.last().chunks.next({ type: 'text', text: `Half of ${canary}` });
  const encrypt = vi.spyOn(crypto.subtle, 'encrypt');
  ports.hide(leaving);
  expect(encrypt).toHaveBeenCalled();
  await session.flushed();
  expect(JSON.stringify((await open(codec).read(session.id))?.events)).toContain(`Half of ${canary}`);
  session.cancel();
  await agent.dispose();
});

describe('a search of a store with a codec', () => {
  /** Returns the ids of the sessions whose texts are stored. */
  async function textsStored(): Promise<readonly IDBValidKey[]> {
    const db = await openRaw(name);
    const request = db.transaction('texts').objectStore('texts').getAllKeys();
    await new Promise((resolve) => request.addEventListener('success', resolve));
    db.close();
    return request.result;
  }

  test('ends at its signal: before it begins, and between two steps', async () => {
    const store = open(codec);
    for (let nth = 0; nth < 60; nth++) await store.write(writeOf(`s${nth}`, 0, 1));
    const before = { search: 'text', signal: AbortSignal.abort() };
    expect(await codeOf(store.list(before))).toBe('ABORTED');
    expect(await textsStored()).toEqual([]);
    const leaving = new AbortController();
    const reports: number[] = [];
    const search = store.list({
      search: 'nowhere',
      signal: leaving.signal,
      onProgress({ done }) {
        reports.push(done);
        leaving.abort();
      },
    });
    expect(await codeOf(search)).toBe('ABORTED');
    expect(reports).toEqual([50]);
    expect(await textsStored()).toHaveLength(50);
  });

  test.each(['removed', 'changed'])('stores no text of a session that is %s meanwhile', async (what) => {
    let isFirst = true;
    const inner = await codec.loadCodec();
    const slow = defineCodec({
      ...inner,
      async encode(bytes, place) {
        if (place.startsWith('["text","a"') && isFirst) {
          isFirst = false;
          await (what === 'removed' ? other.remove('a') : other.write(writeOf('a', 1, 2)));
        }
        return inner.encode(bytes, place);
      },
    });
    const [store, other] = [open(slow), open(codec)];
    await store.write(writeOf('a', 0, 1));
    await store.write(writeOf('b', 0, 1));
    await store.list({ search: 'text' });
    expect(isFirst).toBe(false);
    expect(await textsStored()).toEqual(['b']);
    await store.remove('b');
    expect(await textsStored()).toEqual([]);
  });
});

describe('without its key', () => {
  test('a store without a codec refuses an encrypted session, lists it without a title, and changes nothing', async () => {
    await writeCanary(open(codec));
    const plain = open();
    const before = await dump(name);
    expect(await codeOf(plain.read('a'))).toBe('STORAGE_LOCKED');
    expect((await plain.list()).sessions).toMatchObject([{ id: 'a', title: '' }]);
    expect(await codeOf(plain.write(writeOf('a', 0, 1)))).toBe('STORAGE_CONFLICT');
    expect(await dump(name)).toBe(before);
  });

  test('another key lists the session without a title, refuses to read it, and can remove it', async () => {
    await writeCanary(open(codec));
    const other = open(await aesCodec(8));
    expect((await other.list()).sessions).toMatchObject([{ id: 'a', title: '' }]);
    expect((await other.list({ search: canary })).sessions).toEqual([]);
    expect(await codeOf(other.read('a'))).toBe('STORAGE_LOCKED');
    expect(await other.remove('a')).toBe(true);
  });
});

describe('encryptStored', () => {
  test('encrypts sessions, attachments, removed sessions and meta entries that were stored without a codec', async () => {
    const plain = open();
    await writeCanary(plain);
    await writeCanary(plain, 'removed');
    await plain.remove('removed');
    await writeCanary(open(codec), 'sealed');
    const before = await plain.read('a');
    const progress: number[] = [];
    const onProgress = ({ done }: { done: number }): number => progress.push(done);
    expect(await encryptStored(codec, { name, onProgress })).toEqual({ sessions: 2 });
    expect(progress).toEqual([1, 2, 3]);
    expect(await dump(name)).not.toContain(canary);
    expect(await dump(name)).not.toContain(canary.toLowerCase());

    const store = open(codec);
    expect(await store.read('a')).toEqual(before);
    expect(await store.meta?.get('annotations:a')).toEqual({ text: canary });
    expect((await store.list({ search: canary })).sessions).toHaveLength(2);
    expect(await store.restore?.('removed')).toBe(true);
    expect(JSON.stringify((await store.read('removed'))?.events)).toContain(canary);
    expect(await encryptStored(codec, { name })).toEqual({ sessions: 0 });
  });

  test('goes on where an earlier start was left, and beside another one', async () => {
    const plain = open();
    for (const id of ['a', 'b', 'c']) await writeCanary(plain, id);
    const leaving = new AbortController();
    const onProgress = (): void => leaving.abort();
    await expect(encryptStored(codec, { name, signal: leaving.signal, onProgress })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(await dump(name)).toContain(canary);
    // Two tabs begin at once.
    const reports = await Promise.all([encryptStored(codec, { name }), encryptStored(codec, { name })]);
    expect(reports.reduce((sum, { sessions }) => sum + sessions, 0)).toBeGreaterThanOrEqual(2);
    expect(await dump(name)).not.toContain(canary);
    const { sessions } = await open(codec).list();
    expect(sessions.map(({ title }) => title)).toEqual([canary, canary, canary]);
    for (const id of ['a', 'b', 'c']) expect(await open(codec).read(id)).not.toHaveProperty('damage');
    expect(await encryptStored(codec, { name })).toEqual({ sessions: 0 });
  });

  test('loses no write of a tab that writes meanwhile', async () => {
    const store = open();
    await store.write(writeOf('a', 0, 1));
    const sealed = open(codec);
    await sealed.read('a');
    const work = encryptStored(codec, { name });
    for (let seq = 1; seq < 20; seq++) await sealed.write(writeOf('a', seq, seq + 1));
    await work;
    expect((await sealed.read('a'))?.events).toHaveLength(20);
    expect(await dump(name)).not.toContain('text 1');
  });

  test('ends at its signal', async () => {
    await writeCanary(open());
    expect(await codeOf(encryptStored(codec, { name, signal: AbortSignal.abort() }))).toBe('ABORTED');
  });
});
