import 'fake-indexeddb/auto';
import { createAgent, defineTool } from 'brooklet';
import { createIndexedDBStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lostEvents, rangeText } from '../../../src/storage/rows/lost-events.ts';
import { stamp } from '../../support/events.ts';
import { openRaw, tamper } from '../raw.ts';

let name: string;
const closers: (() => void)[] = [];

beforeEach(() => {
  name = `lost-${crypto.randomUUID()}`;
});

afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await deleteDB(name);
});

function createStore(database = name): ReturnType<typeof createIndexedDBStore> {
  const store = createIndexedDBStore({ name: database });
  closers.push(() => store.close());
  return store;
}

/** Stores a session of some runs, with a streamed text, a tool call and big messages. */
async function storeSession(): Promise<string> {
  const echo = defineTool({
    name: 'echo',
    description: 'Echoes.',
    input: { type: 'object' },
    execute: () => 'x'.repeat(2_000),
  });
  const client = createScriptedClient([
    [reply.text('One two three four five six seven eight nine ten.')],
    [reply.call('echo', {})],
    [reply.text('It says x. '.repeat(200))],
  ]);
  const store = createStore();
  const agent = createAgent({ client, store, tools: [echo] });
  const session = await agent.openSession(agent.createSession());
  await session.send('Count.');
  await session.send('x'.repeat(3_000));
  for (const title of ['One', 'Two', 'Three']) {
    session.rename(title);
    await session.flushed();
  }
  return session.id;
}

async function keysOf(database = name): Promise<readonly IDBValidKey[]> {
  const db = await openRaw(database);
  const request = db.transaction('events').objectStore('events').getAllKeys();
  await new Promise((resolve) => request.addEventListener('success', resolve));
  db.close();
  return request.result;
}

/** Reads a session of which rows were lost, and restores the rows. */
async function readWithout(id: string, lost: readonly IDBValidKey[]): Promise<string | undefined> {
  const rows: (readonly [IDBValidKey, IDBRequest<unknown>])[] = [];
  await tamper(name, (transaction) => {
    const events = transaction.objectStore('events');
    for (const key of lost) {
      rows.push([key, events.get(key)]);
      events.delete(key);
    }
  });
  const damage = (await createStore().read(id))?.damage;
  await tamper(name, (transaction) => {
    for (const [key, { result }] of rows) transaction.objectStore('events').add(result, key);
  });
  return damage;
}

test('each lost row of a session is noticed, and so is the loss of all rows', async () => {
  const id = await storeSession();
  const keys = await keysOf();
  expect(keys.length).toBeGreaterThan(5);
  expect(await readWithout(id, [])).toBeUndefined();
  for (const key of keys)
    expect([key, await readWithout(id, [key])]).toEqual([key, expect.stringMatching(/^events? /)]);
  expect(await readWithout(id, keys)).toMatch(/^events 1 to /);
});

test('each lost row of an imported session is noticed', async () => {
  const stored = await createStore().read(await storeSession());
  if (!stored) expect.unreachable();
  const id = 'copy';
  await importSessions(createStore(), exportSession(stored), { onConflict: 'copy', newId: () => id });
  for (const key of (await keysOf()).filter((row) => Array.isArray(row) && row[0] === id))
    expect([key, await readWithout(id, [key])]).toEqual([key, expect.stringMatching(/^events? /)]);
});

test('a session of which rows were lost opens read-only, with what is left, and can be exported and forked', async () => {
  const id = await storeSession();
  const keys = await keysOf();
  await tamper(name, (transaction) => transaction.objectStore('events').delete(keys.at(-2) ?? ''));
  const agent = createAgent({ client: createScriptedClient([]), store: createStore() });
  const session = await agent.openSession(id);
  expect(session.getStorage()).toMatchObject({
    state: 'read-only',
    error: { code: 'STORAGE_CORRUPT', message: expect.stringContaining('event') },
  });
  expect(session.getMessages()[0]).toMatchObject({ role: 'user' });
  expect(() => session.rename('x')).toThrow(expect.objectContaining({ code: 'SESSION_READ_ONLY' }));
  const fork = await agent.openSession(await agent.forkSession(id));
  expect(fork.getMessages()).toEqual(session.getMessages());
});

test('text that streams is never taken for a loss', async () => {
  const store = createStore();
  const client = createScriptedClient([[reply.text('A word after another. '.repeat(40))]]);
  const agent = createAgent({ client, store });
  const session = await agent.openSession(agent.createSession());
  const damage: (string | undefined)[] = [];
  const running = session.send('Go.');
  const reading = store.changes$.subscribe(
    () => void store.read(session.id).then((found) => damage.push(found?.damage)),
  );
  await running;
  await session.flushed();
  reading.unsubscribe();
  expect(new Set([...damage, (await store.read(session.id))?.damage])).toEqual(new Set([undefined]));
});

test('a text that names its first number hides no loss before it, however long it is', () => {
  const [begin, delta] = stamp([
    { type: 'session.started', sessionId: 's' },
    { type: 'text.delta', text: 'more than three letters' },
  ]);
  if (begin === undefined || delta === undefined) throw new Error('There are two events.');
  const joined = { ...delta, since: 5, seq: 8 };
  const lost = lostEvents([begin, joined], 0, 8);
  expect(lost).toEqual([[2, 4]]);
  expect(lost.map(rangeText)).toEqual(['events 2 to 4']);
  expect(lostEvents([begin, { ...joined, since: 3 }], 0, 8).map(rangeText)).toEqual(['event 2']);
});
