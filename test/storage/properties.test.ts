import { createMemoryStore } from 'brooklet/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { properties } from './properties/index.ts';
import { storeIsAnArray } from './properties/store.ts';
import { seeded } from '../support/seeded.ts';

const patient = { timeout: 120_000 };
const runs = seeded(200);

test.each(Object.entries(properties))('%s', patient, async (_name, property) => {
  await expect(fc.assert<unknown>(property, runs)).resolves.toBeUndefined();
});

test('a memory store holds what a plain array would', patient, async () => {
  const setUp = () => {
    // It lives as long as its page, so it is never closed in between; and nothing goes wrong with it.
    const store = { ...createMemoryStore(), close() {} };
    return { store, reopen: () => store, arm() {}, tearDown() {} };
  };
  await expect(fc.assert(storeIsAnArray(setUp), runs)).resolves.toBeUndefined();
});
