import 'fake-indexeddb/auto';
import { createAgent, type MediaPart, type SessionEvent, type SessionStore } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { createIndexedDBStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';

let name: string;
const closers: (() => void)[] = [];

function createStore(undoWindow?: number): SessionStore {
  const store = createIndexedDBStore({ name, ...(undoWindow !== undefined && { undoWindow }) });
  closers.push(() => store.close());
  return store;
}

beforeEach(() => {
  name = `blobs-${crypto.randomUUID()}`;
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
  await deleteDB(name);
});

const image = (letter: string, size = 50_000): MediaPart => ({
  type: 'image',
  mediaType: 'image/png',
  data: letter.repeat(size),
});

function messageAt(seq: number, ...content: readonly MediaPart[]): SessionEvent {
  const message = { id: `m${seq}`, role: 'user', content, timestamp: seq } as const;
  return { type: 'message.added', message, seq, at: seq, v: eventVersion };
}

function endedAt(seq: number, output: string): SessionEvent {
  return { type: 'call.ended', callId: 'c', outcome: 'succeeded', output, seq, at: seq, v: eventVersion };
}

const withEvents = (sessionId: string, expectedSeq: number, ...events: readonly SessionEvent[]) => ({
  ...writeOf(sessionId, expectedSeq, ...events.map(({ seq }) => seq)),
  events,
});

/** The raw rows of the database. */
async function onDisk(): Promise<{ readonly blobs: readonly unknown[]; readonly events: readonly unknown[] }> {
  const db = await openRaw(name);
  const transaction = db.transaction(['blobs', 'events']);
  const all = (table: string): Promise<readonly unknown[]> => {
    const request: IDBRequest<unknown[]> = transaction.objectStore(table).getAll();
    return new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)));
  };
  const [blobs, events] = await Promise.all([all('blobs'), all('events')]);
  db.close();
  return { blobs, events };
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

describe('big values of a session', () => {
  test('are stored apart from its events, equal content once', async () => {
    const store = createStore();
    const events = [messageAt(1, image('A'), image('B')), messageAt(2, image('A')), endedAt(3, 'x'.repeat(40_000))];
    await store.write(withEvents('a', 0, ...events));
    const disk = await onDisk();
    expect(disk.blobs.map(sizeOf).toSorted((one, other) => one - other)).toEqual([40_002, 50_002, 50_002]);
    expect(sizeOf(disk.events)).toBeLessThan(1_000);
    expect((await store.read('a'))?.events).toEqual(events);
  });

  test('stay in their events when they are small', async () => {
    const store = createStore();
    await store.write(withEvents('a', 0, messageAt(1, image('A', 500)), endedAt(2, 'x'.repeat(20_000))));
    expect((await onDisk()).blobs).toEqual([]);
  });

  test('are shared by copies and forks, and erased with the last of them', async () => {
    const store = createStore(0);
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(agent.createSession());
    session.addMessage({ role: 'user', content: [image('A')] });
    await session.flushed();
    const fork = await agent.forkSession(session.id);
    const stored = await store.read(session.id);
    if (stored === undefined) throw new Error('The session is missing.');
    const { imported } = await importSessions(store, exportSession(stored), { onConflict: 'copy' });
    expect((await onDisk()).blobs).toHaveLength(1);
    await store.remove(session.id);
    await store.remove(fork);
    expect((await onDisk()).blobs).toHaveLength(1);
    const copy = imported[0]?.storedAs ?? '';
    expect((await store.read(copy))?.events[1]).toMatchObject({ message: { content: [image('A')] } });
    await store.remove(copy);
    expect(await onDisk()).toEqual({ blobs: [], events: [] });
  });

  test('are erased when an import replaces their log', async () => {
    const [store, text] = [createStore(), exportSession({ ...blank, events: [started] })];
    await store.write(withEvents('a', 0, messageAt(1, image('A'))));
    await importSessions(store, text, { onConflict: 'replace' });
    expect((await onDisk()).blobs).toEqual([]);
  });

  test('are kept for as long as a removal can be undone', async () => {
    const store = createStore();
    await store.write(withEvents('a', 0, messageAt(1, image('A'))));
    await store.remove('a');
    expect((await onDisk()).blobs).toHaveLength(1);
    await store.restore?.('a');
    expect((await store.read('a'))?.events).toEqual([messageAt(1, image('A'))]);
  });

  test('are exported and imported', async () => {
    const store = createStore();
    await importSessions(store, exportSession({ ...blank, events: [started, messageAt(2, image('A'))] }));
    const stored = await store.read('a');
    if (stored === undefined) throw new Error('The session is missing.');
    const text = exportSession(stored);
    expect(text).toContain('A'.repeat(50_000));
    const other = createIndexedDBStore({ name: `${name}-other` });
    closers.push(() => other.close());
    await importSessions(other, text);
    expect(exportSession((await other.read('a')) ?? stored)).toBe(text);
  });

  test('stay in their events on a page without hashes', async () => {
    vi.stubGlobal('crypto', { randomUUID: () => 'id' });
    const store = createStore();
    await store.write(withEvents('a', 0, messageAt(1, image('A'))));
    expect((await onDisk()).blobs).toEqual([]);
    expect((await store.read('a'))?.events).toEqual([messageAt(1, image('A'))]);
  });

  test('are reported as damage when they are lost, and all else is read', async () => {
    const store = createStore();
    await store.write(withEvents('a', 0, messageAt(1, image('A')), textAt(2)));
    await tamper(name, (transaction) => transaction.objectStore('blobs').clear());
    const stored = await store.read('a');
    expect(stored?.damage).toBe('1 of its attachments');
    expect(stored?.events).toEqual([messageAt(1, { type: 'image', mediaType: 'image/png' }), textAt(2)]);
  });

  test('are not put into other places by forged references', async () => {
    const store = createStore();
    await store.write(withEvents('a', 0, messageAt(1, image('A'))));
    await tamper(name, (transaction) => {
      const refs = transaction.objectStore('refs');
      const forged = [['__proto__', 'polluted'], ['constructor', 'prototype', 'polluted'], []];
      for (const [index, path] of forged.entries()) refs.put({ seq: 1, path, hash: 'x' }, ['a', 1, 10 + index]);
      refs.put(null, ['a', 1, 20]);
    });
    expect((await store.read('a'))?.damage).toBe('4 of its attachments');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('a write whose attachments are being hashed', () => {
  test('starts without blobs, in the same call, when another write builds on it', async () => {
    const store = createStore();
    await store.list();
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const first = store.write(withEvents('a', 0, messageAt(1, image('A'))));
    expect(begin).not.toHaveBeenCalled();
    const second = store.write(withEvents('a', 1, textAt(2)));
    expect(begin).toHaveBeenCalledTimes(2);
    await Promise.all([first, second]);
    expect((await onDisk()).blobs).toEqual([]);
    expect((await store.read('a'))?.events).toEqual([messageAt(1, image('A')), textAt(2)]);
  });

  test('starts without blobs, in the same call, when the page is unloaded', async () => {
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    const store = createStore();
    await store.list();
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const write = store.write(withEvents('a', 0, messageAt(1, image('A'))));
    page.dispatchEvent(new Event('pagehide'));
    expect(begin).toHaveBeenCalledOnce();
    await write;
    page.dispatchEvent(new Event('pagehide'));
    expect(begin).toHaveBeenCalledOnce();
    expect((await store.read('a'))?.events).toEqual([messageAt(1, image('A'))]);
  });
});

const started: SessionEvent = { type: 'session.started', sessionId: 'a', seq: 1, at: 1, v: eventVersion };
const blank = { summary: writeOf('a', 0, 1).summary };
