import 'fake-indexeddb/auto';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import fc from 'fast-check';
import { deleteDB } from 'idb';
import { test } from 'vitest';
import { spoilIndexedDB } from '../support/faulty-indexeddb.ts';
import { storeIsAnArray } from './properties/store.ts';
import { sessionsLoseNothing } from './properties/session.ts';
import { tabsAgree } from './properties/tabs.ts';

test('tabs', async () => {
  await fc.assert(tabsAgree, {
    numRuns: Number(process.env.RUNS ?? 300),
    seed: Number(process.env.SEED ?? Date.now()),
  });
}, 300_000);
test('store', async () => {
  await fc.assert(
    storeIsAnArray(() => {
      const name = `model-${crypto.randomUUID()}`;
      const { arm, restore } = spoilIndexedDB();
      const reopen = () => createIndexedDBStore({ name });
      return {
        store: reopen(),
        reopen,
        arm,
        tearDown() {
          restore();
          return deleteDB(name);
        },
      };
    }),
    { numRuns: Number(process.env.RUNS ?? 300), seed: Number(process.env.SEED ?? Date.now()) },
  );
}, 300_000);
test('session', async () => {
  await fc.assert(sessionsLoseNothing, {
    numRuns: Number(process.env.RUNS ?? 300),
    seed: Number(process.env.SEED ?? Date.now()),
  });
}, 300_000);
