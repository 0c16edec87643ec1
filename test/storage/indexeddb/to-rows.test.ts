import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { toLog } from '../../../src/storage/rows/to-log.ts';
import { toRows } from '../../../src/storage/rows/to-rows.ts';
import { textAt, writeOf } from '../raw.ts';

const many = (count: number, text = 'x') => Array.from({ length: count }, (_, index) => textAt(1 + index, text));
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : expect.unreachable());

test('groups settled events under the seq of the last one', () => {
  const events = many(3);
  expect([...toRows(events, events)]).toEqual([{ seq: 3, value: events }]);
  expect([...toRows([], [])]).toEqual([]);
});

test('puts at most 128 events into a row', () => {
  const events = many(300);
  expect([...toRows(events, events)].map(({ seq, value }) => [seq, lengthOf(value)])).toEqual([
    [128, 128],
    [256, 128],
    [300, 44],
  ]);
});

test('keeps a row below 64 KB, unless a single event is bigger', () => {
  const events = [...many(3, 'x'.repeat(15_000)), textAt(4, 'y'.repeat(100_000)), textAt(5), textAt(6)];
  expect([...toRows(events, events)].map(({ seq, value }) => [seq, lengthOf(value)])).toEqual([
    [2, 2],
    [3, 1],
    [4, 1],
    [6, 2],
  ]);
});

test('a long log is stored in several tasks of one transaction', async () => {
  const name = `rows-${crypto.randomUUID()}`;
  const store = createIndexedDBStore({ name });
  await store.write(writeOf('first', 0, 1));
  const add = vi.spyOn(IDBObjectStore.prototype, 'put');
  /** Rows that were added in each task. */
  const tasks: number[] = [];
  const note = (): void => {
    const rows = add.mock.calls.splice(0).length;
    if (rows > 0) tasks.push(rows);
  };
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    note();
    port2.postMessage(null);
  });
  port1.start();
  port2.postMessage(null);
  const seqs = Array.from({ length: 40_000 }, (_, index) => index + 1);
  await store.write({ ...writeOf('a', 0, ...seqs), phase: 'settled' });
  note();
  port1.close();
  vi.restoreAllMocks();
  expect(tasks.reduce((sum, count) => sum + count)).toBeGreaterThan(312);
  expect(Math.max(...tasks)).toBeLessThan(100);
  expect((await store.read('a'))?.events).toHaveLength(40_000);
  store.close();
  await deleteDB(name);
});

test('reads rows of both kinds in the order of seq, and after any seq', () => {
  const [one, two, three, four] = many(4);
  const rows = [two, [one, three, four]];
  expect(toLog(rows)).toEqual({ events: [one, two, three, four], unread: [] });
  expect(toLog(rows, 2)).toEqual({ events: [three, four], unread: [] });
});

test.each([
  ['nothing', [], [[]]],
  ['null and a number', [null, 7], [null, 7]],
  ['a list', [[textAt(1)]], [[textAt(1)]]],
  ['one event among others', [textAt(1), { type: 'x' }, textAt(3)], [{ type: 'x' }]],
])('takes %s in a list as unreadable events', (_what, row, unread) => {
  expect(toLog([row]).unread).toEqual(unread);
});
