import 'fake-indexeddb/auto';
import { createAgent, type SessionStore } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { deleteDB, wrap } from 'idb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLogs, readLogsInOrder, type SessionLog } from '../../../src/storage/indexeddb/search/read-logs.ts';
import { diskOf, openRaw } from '../raw.ts';

let name: string;
let store: SessionStore;

beforeEach(() => {
  name = `logs-${crypto.randomUUID()}`;
  store = createIndexedDBStore({ name });
});
afterEach(async () => {
  store.close();
  await deleteDB(name);
});

/** Stores a session for each number: so many messages, each in a write of its own. */
async function storeSessions(counts: Readonly<Record<string, number>>): Promise<void> {
  const agent = createAgent({ client: createScriptedClient([]), store });
  for (const [id, count] of Object.entries(counts)) {
    const session = await agent.openSession(id, { create: true });
    for (let at = 0; at < count; at++) {
      session.addMessage({ role: 'user', content: `${id} ${at}` });
      await session.flushed();
    }
  }
}

const textsOf = ({ id, log }: SessionLog): readonly string[] => [
  id,
  ...log.flatMap((event) =>
    event.type === 'message.added' ? event.message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  ),
];
const expected = (id: string, count: number): readonly string[] => [
  id,
  ...Array.from({ length: count }, (_, at) => `${id} ${at}`),
];

test.each([1, 2, 3, 5, 8, 100])('reads all logs in the order of ids, %i rows at a time', async (rowCount) => {
  await storeSessions({ a: 2, b: 6, c: 1, d: 3 });
  const raw = await openRaw(name);
  const disk = diskOf(raw);
  const logs: SessionLog[] = [];
  for (let from: string | undefined = ''; from !== undefined;) {
    const found: Awaited<ReturnType<typeof readLogsInOrder>> = await readLogsInOrder(disk, from, rowCount);
    logs.push(...found.logs);
    from = found.next;
  }
  expect(logs.map(textsOf)).toEqual([expected('a', 2), expected('b', 6), expected('c', 1), expected('d', 3)]);
  for (const { seq, head, log } of logs) expect([seq, (head as { seq?: number }).seq]).toEqual([log.length, seq]);
  expect(
    (
      await readLogs(disk, [
        ['a', 0],
        ['c', 0],
      ])
    ).map(textsOf),
  ).toEqual([expected('a', 2), expected('c', 1)]);
  raw.close();
});

test('leaves out rows that a later write covers, and reads a log of more rows than one request returns', async () => {
  await storeSessions({ a: 3, b: 300 });
  const raw = await openRaw(name);
  const tables = wrap(raw);
  await tables.put('covers', { ranges: [[1, 2]], rows: [] }, ['a', 99]);
  await tables.put('covers', { ranges: [[300, 300]], rows: [] }, ['b', 999]);
  const disk = diskOf(raw);
  const { logs } = await readLogsInOrder(disk, '', 100_000);
  const [a, b] = logs.map(textsOf);
  expect(a?.length).toBe(expected('a', 3).length - 1);
  expect(b).toHaveLength(300);
  expect(
    (
      await readLogs(disk, [
        ['a', 0],
        ['b', 0],
      ])
    ).map(textsOf),
  ).toEqual([a, b]);
  raw.close();
});
