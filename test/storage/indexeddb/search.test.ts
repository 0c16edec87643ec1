import 'fake-indexeddb/auto';
import type { SessionEvent, SessionSummary, SessionStore } from 'brooklet';
import { eventVersion, type SearchProgress, type SessionWrite, type EventBody } from 'brooklet/core';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import fc from 'fast-check';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toTrigrams, toSignature } from '../../../src/storage/indexeddb/search/trigrams.ts';
import { isJsonObject } from '../../../src/core/json.ts';
import type { SessionDisk } from '../../../src/storage/indexeddb/schema.ts';
import { search } from '../../../src/storage/indexeddb/search/search.ts';
import { indexSessions } from '../../../src/storage/indexeddb/search/index-sessions.ts';
import { until } from '../../support/until.ts';
import { seeded } from '../../support/seeded.ts';
import { diskOf, openRaw, tamper } from '../raw.ts';

let name: string;
let store: SessionStore;

beforeEach(() => {
  name = `search-${crypto.randomUUID()}`;
  store = createIndexedDBStore({ name });
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  store.close();
  await deleteDB(name);
});

/** Writes a session of one message; `seq` above 1 replaces the message before. */
function say(to: SessionStore, id: string, text: string, seq = 1): Promise<void> {
  return to.write(writeOfLine(id, text, seq));
}

function writeOfLine(id: string, text: string, seq: number): SessionWrite {
  const message = { id: `m${seq}`, role: 'user', content: [{ type: 'text', text }], timestamp: 1 } as const;
  const added: SessionEvent = { type: 'message.added', message, seq, at: 1, v: eventVersion };
  return {
    sessionId: id,
    expectedSeq: seq - 1,
    events: [added],
    replaces: [[0, seq - 1]],
    summary: {
      id,
      title: '',
      createdAt: 1,
      updatedAt: Number(id.slice(1)),
      status: 'idle',
      messageCount: 1,
      usage: { input: 0, output: 0 },
      seq,
    },
    durability: 'relaxed',
  };
}

/** Writes sessions `s0`, `s1`, … without the words that are searched here. */
async function sayMany(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => say(store, `s${index}`, `the ${index * 7919} weather is fine`)),
  );
}

async function found(search: string, of = store): Promise<readonly string[]> {
  return (await of.list({ search, limit: 500 })).sessions.map(({ id }) => id);
}

/** Counts requests from now on: for the text and the summary of one session, and for logs. */
function countReads(): {
  readonly texts: () => number;
  readonly events: () => number;
  readonly sessions: () => number;
} {
  const get = vi.spyOn(IDBObjectStore.prototype, 'get').mock;
  const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll').mock;
  const namesOf = (tables: readonly unknown[]) =>
    tables.map((table) => (table instanceof IDBObjectStore ? table.name : ''));
  return {
    texts: () =>
      namesOf(get.contexts).filter((table, index) => table === 'texts' && isId(get.calls[index]?.[0])).length,
    events: () => namesOf(getAll.contexts).filter((table) => table === 'events').length,
    sessions: () => namesOf(get.contexts).filter((table) => table === 'list').length,
  };
}

function isId(key: unknown): boolean {
  return typeof key === 'string';
}

/** The rows of the table `texts`, by key. */
async function textRows(): Promise<ReadonlyMap<string, unknown>> {
  const db = await openRaw(name);
  const rows = new Map<string, unknown>();
  const request = db.transaction('texts').objectStore('texts').openCursor();
  await new Promise<void>((resolve) =>
    request.addEventListener('success', () => {
      const cursor = request.result;
      if (cursor === null) return resolve();
      rows.set(JSON.stringify(cursor.key), cursor.value);
      cursor.continue();
    }),
  );
  db.close();
  return rows;
}

/** Ids of the sessions in blocks. */
async function blockedIds(): Promise<readonly string[]> {
  const db = await openDB(name);
  const rows: unknown[] = await db.getAll('texts', IDBKeyRange.upperBound(Infinity));
  db.close();
  return rows.flatMap((row) => (isJsonObject(row) && Array.isArray(row.ids) ? row.ids.map(String) : []));
}

describe('a signature', () => {
  test('has the bits of every n-gram of every word of its text, in any language', () => {
    const char = fc.oneof(
      fc.constantFrom(...'aAbz1 \n-東京へ今日한글éß😀'),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    );
    const text = fc.array(char, { maxLength: 60 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, at, length) => {
        const word = whole.slice(at % (whole.length + 1)).slice(0, length % 12);
        const words = word.split(/\s+/u).filter(Boolean);
        const bits = toSignature(whole);
        for (const gram of toTrigrams(words)) expect((bits[gram >> 3] ?? 0) & (1 << (gram & 7))).not.toBe(0);
      }),
      seeded(500),
    );
  });

  test('never changes, because signatures are stored on disks', () => {
    expect(toTrigrams(['otter', '東京'])).toMatchInlineSnapshot(`
      [
        2919,
        6659,
        1231,
        2508,
        428,
        7818,
        7670,
        4895,
        6205,
      ]
    `);
  });
});

describe('a search of many sessions', { timeout: 60_000 }, () => {
  test('reads no log and few texts after the first search', async () => {
    await sayMany(300);
    await say(store, 's1000', 'an otter in 東京');
    expect(await found('otter')).toEqual(['s1000']);
    const reads = countReads();
    for (const search of ['otter', 'otte', '東京', '京', 'otter 東']) expect(await found(search)).toEqual(['s1000']);
    expect(await found('hippopotamus')).toEqual([]);
    // Each search reads the texts of sessions in no block: here there are too few for another block.
    expect(reads.events()).toBe(0);
    expect(reads.texts()).toBeLessThan(6 * 75);
    expect(reads.sessions()).toBe(5);
  });

  test('reads the logs of all sessions but the newest in few requests, and only once', async () => {
    await sayMany(700);
    await say(store, 's1000', 'a zebra in 東京');
    const first = countReads();
    expect(await found('hippopotamus')).toEqual([]);
    // 300 of the newest, one by one, and 701 rows of one log each, some dozens at a time.
    expect(first.events()).toBeLessThan(300 + 20);
    vi.restoreAllMocks();
    const second = countReads();
    expect(await found('zebra')).toEqual(['s1000']);
    expect(second.events()).toBe(0);
    expect(second.texts()).toBeLessThan(5);
  });

  test('is indexed before the first search, in idle time after a list', async () => {
    vi.stubGlobal('requestIdleCallback', (callback: () => void) => setTimeout(callback));
    await sayMany(300);
    await say(store, 's1000', 'a zebra in 東京');
    await store.list();
    await until(async () => expect(await blockedIds()).toHaveLength(301));
    const reads = countReads();
    expect(await found('zebra')).toEqual(['s1000']);
    // The log of the session that it finds.
    expect(reads.events()).toBe(1);
    expect(await found('zebra')).toEqual(['s1000']);
    expect(reads.events()).toBe(1);
  });

  test('indexes a session whose log is longer than a step, and none that was removed', async () => {
    await sayMany(150);
    await say(store, 's1000', 'a zebra');
    for (let seq = 2; seq <= 60; seq++)
      await store.write({ ...writeOfLine('s1000', `line ${seq} of the zebra`, seq), replaces: [] });
    await store.remove('s3');
    const db = await openRaw(name);
    await indexSessions(diskOf(db), { pause: () => Promise.resolve() });
    db.close();
    const ids = await blockedIds();
    expect(ids).toHaveLength(150);
    expect(ids).not.toContain('s3');
    const reads = countReads();
    expect(await found('60 zebra')).toEqual(['s1000']);
    expect(reads.events()).toBe(1);
  });

  test('finds new messages, also in a session that was replaced', async () => {
    await sayMany(120);
    expect(await found('otter')).toEqual([]);
    await say(store, 's7', 'an otter', 2);
    expect(await found('otter')).toEqual(['s7']);
    await say(store, 's7', 'a fox', 3);
    expect([await found('otter'), await found('fox')]).toEqual([[], ['s7']]);
  });

  test('leaves nothing of a removed session, and finds a new one of its id', async () => {
    await sayMany(120);
    await found('otter');
    await store.remove('s7');
    const rows = await textRows();
    expect([...rows.keys()]).not.toContain('"s7"');
    const block = rows.get('1');
    expect(JSON.stringify(block)).not.toContain('"s7"');
    // As many events as before, so that the entry in the block would match.
    await say(store, 's7', 'an otter');
    expect(await found('otter')).toEqual(['s7']);
    await store.remove('s7');
    expect(await store.restore?.('s7')).toBe(true);
    expect(await found('otter')).toEqual(['s7']);
  });

  test('deletes stale blocks', async () => {
    await sayMany(120);
    await found('otter');
    const before = (await textRows()).size;
    for (let index = 0; index < 110; index++) await say(store, `s${index}`, 'the weather is bad', 2);
    await found('otter');
    const rows = await textRows();
    expect([rows.has('1'), rows.has('2'), rows.size]).toEqual([false, true, before]);
  });

  test('ignores rows of another origin in its table', async () => {
    await sayMany(120);
    await found('otter');
    await say(store, 's7', 'an otter', 2);
    const db = await openRaw(name);
    const transaction = db.transaction('texts', 'readwrite');
    const texts = transaction.objectStore('texts');
    texts.put('no shelf', 1);
    texts.put({ number: 9, ids: 7 }, 9);
    texts.put({ bits: 'no bits' }, [3, 1]);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    db.close();
    expect(await found('otter')).toEqual(['s7']);
  });

  test('finds a session whose block has lost bits', async () => {
    await sayMany(120);
    await say(store, 's7', 'an otter', 2);
    await say(store, 's200', 'an otter');
    for (let index = 0; index < 110; index++) await say(store, `s${index + 300}`, 'an otter');
    await found('the');
    expect(await blockedIds()).toContain('s200');
    const cut = await openDB(name);
    const rows: readonly unknown[] = await cut.getAll('texts', IDBKeyRange.bound([0], [64, []]));
    for (const row of rows)
      if (isJsonObject(row)) await cut.put('texts', { ...row, bits: new Uint8Array(3) }, [rows.indexOf(row), 1]);
    cut.close();
    expect((await found('otter')).length).toBe(112);
  });

  test('finds a session with an unreadable summary by its text, as a list shows it, and searches all others', async () => {
    await say(store, 's1', 'an otter');
    await say(store, 's2', 'an otter');
    await say(store, 's3', 'an otter');
    await tamper(name, (transaction) => {
      transaction.objectStore('list').put({ id: 's2', seq: 1, updatedAt: 2, title: 7 });
      transaction
        .objectStore('events')
        .put({ type: 'message.added', message: 7, seq: 1, at: 1, v: eventVersion }, ['s3', 1]);
    });
    const { sessions } = await store.list({ search: 'otter' });
    expect(sessions).toMatchObject([{ id: 's2', title: '', seq: 1 }, { id: 's1' }]);
    expect(await store.read('s2')).toHaveProperty('damage');
  });

  test('reports progress, rejects when it is cancelled, and keeps what it has indexed', async () => {
    await sayMany(250);
    const cancelling = new AbortController();
    const reports: SearchProgress[] = [];
    const onProgress = (progress: SearchProgress): void => {
      reports.push(progress);
      if (reports.length === 1) cancelling.abort();
    };
    const search = store.list({ search: 'otter', signal: cancelling.signal, onProgress });
    await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
    expect(reports).toEqual([{ done: 100, total: 250 }]);
    const reads = countReads();
    await store.list({ search: 'otter', onProgress });
    expect(reports.slice(1).map(({ done }) => done)).toEqual([100, 200, 250]);
    expect(reads.events()).toBeLessThanOrEqual(150);
  });

  test.each(['removed', 'changed'])('stores no text of a session that is %s while it is searched', async (what) => {
    for (const id of ['s1', 's2']) await say(store, id, 'a red fox');
    const db = await openRaw(name);
    const disk = diskOf(db);
    let isFirst = true;
    const slow: SessionDisk = {
      ...disk,
      async run(tables, mode, work, durability) {
        const isStoring = mode === 'readwrite' && isFirst;
        if (isStoring) isFirst = false;
        if (isStoring) await (what === 'removed' ? store.remove('s1') : say(store, 's1', 'a grey fox', 2));
        return disk.run(tables, mode, work, durability);
      },
    };
    await search(slow, { search: 'fox' });
    db.close();
    expect(isFirst).toBe(false);
    expect([...(await textRows()).keys()]).toEqual(['"s2"']);
  });

  test('returns what a memory store returns, whatever was written, changed and removed', async () => {
    const memory = createMemoryStore();
    const words = ['otter', 'fox', 'ox', '東京', '京都', 'é', 'Ｗide', 'x'];
    const step = fc.record({
      what: fc.constantFrom('say', 'say', 'say', 'remove', 'search'),
      id: fc.nat(180),
      word: fc.constantFrom(...words),
      other: fc.constantFrom(...words),
    });
    const seqs = new Map<string, number>();
    const every = fc.sample(fc.array(step, { minLength: 900, maxLength: 900 }), seeded(1))[0] ?? [];
    for (const [index, { what, id: number, word, other }] of every.entries()) {
      const id = `s${number}`;
      if (what === 'say') {
        const seq = (seqs.get(id) ?? 0) + 1;
        seqs.set(id, seq);
        for (const one of [store, memory]) await say(one, id, `${word} and ${index}`, seq);
      } else if (what === 'remove') {
        seqs.delete(id);
        expect(await store.remove(id)).toBe(await memory.remove(id));
      } else if (index % 4 === 0)
        expect(await found(`${word} ${other}`)).toEqual(await found(`${word} ${other}`, memory));
    }
    expect(seqs.size).toBeGreaterThan(100);
    for (const word of words) expect(await found(word)).toEqual(await found(word, memory));
    expect([...(await textRows()).keys()].some((key) => key.startsWith('['))).toBe(true);
  });
});

test('a search finds the text of a streaming reply, with and without a block', async () => {
  // Enough for a block.
  await sayMany(150);
  const head = (seq: number): SessionSummary => ({
    id: 's200',
    title: '',
    createdAt: 1,
    updatedAt: 200,
    status: 'running',
    messageCount: 1,
    usage: { input: 0, output: 0 },
    seq,
  });
  const began: readonly EventBody[] = [
    { type: 'run.started', runId: 'r' },
    { type: 'reply.started', messageId: 'a' },
  ];
  const stamp = (body: EventBody, seq: number): SessionEvent => ({ ...body, seq, at: 1, v: eventVersion });
  const about = { sessionId: 's200', durability: 'relaxed' } as const;
  await store.write({
    ...about,
    expectedSeq: 0,
    events: began.map((body, index) => stamp(body, index + 1)),
    summary: head(2),
  });
  expect(await found('otter')).toEqual([]);
  const delta = stamp({ type: 'text.delta', text: 'An otter.' }, 3);
  await store.write({ ...about, expectedSeq: 2, events: [delta], summary: head(3), phase: 'streaming' });
  expect(await found('otter')).toEqual(['s200']);
  expect(await found('badger')).toEqual([]);
  const more = stamp({ type: 'text.delta', text: ' And a badger.' }, 4);
  await store.write({ ...about, expectedSeq: 3, events: [more], summary: head(4), phase: 'streaming' });
  expect(await found('badger')).toEqual(['s200']);
});
