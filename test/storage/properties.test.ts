import { createMemoryStore } from 'brooklet/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { properties } from './properties/index.ts';
import { storeIsAnArray } from './properties/store.ts';

const patient = { timeout: 120_000 };

test.each(Object.entries(properties))('%s', patient, async (_name, property) => {
  await expect(fc.assert<unknown>(property, { numRuns: 200 })).resolves.toBeUndefined();
});

test('a memory store holds what a plain array would', patient, async () => {
  const setUp = () => {
    const store = createMemoryStore();
    // Nothing of it is left where the page is loaded anew, and nothing goes wrong with it.
    const reopen = (): typeof store => store;
    return { store: { ...store, close() {} }, reopen, arm() {}, tearDown: () => store.close() };
  };
  await expect(fc.assert(storeIsAnArray(setUp), { numRuns: 200 })).resolves.toBeUndefined();
});
