import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { expect, test } from 'vitest';
import { readLatestEvents } from '../../src/storage/latest-events.ts';
import { tamper, writeOf } from './raw.ts';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  [1_499, 0],
  [1_500, 300],
  [40_000, 300],
])('of %i events reads the last %i', async (count, expected) => {
  const store = createIndexedDBStore({ name: `latest-${count}` });
  await store.write(writeOf('a', 0, ...upTo(count)));
  const events = (await store.readLatest?.('a')) ?? [];
  expect(events.map(({ seq }) => seq)).toEqual(upTo(count).slice(count - expected));
  expect(await store.readLatest?.('b')).toEqual([]);
  store.close();
  await deleteDB(`latest-${count}`);
});

test('reads what is readable at the end, and no more than the end', async () => {
  const name = 'latest-damaged';
  const store = createIndexedDBStore({ name });
  await store.write(writeOf('a', 0, ...upTo(2_000)));
  await tamper(name, (transaction) => void transaction.objectStore('events').delete(['a', 1_900]));
  const asked: unknown[] = [];
  const events = await readLatestEvents('a', (id, options) => {
    asked.push(options);
    return store.read(id, options);
  });
  expect(events.map(({ seq }) => seq)).toEqual(upTo(2_000).filter((seq) => seq > 1_700 && seq !== 1_900));
  expect(asked).toEqual([{ after: Infinity }, { after: 1_700 }]);
  store.close();
  await deleteDB(name);
});
