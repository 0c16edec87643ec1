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

test('a memory store equals a plain array', patient, async () => {
  const setUp = () => {
    // A memory store lives as long as its page, so it is never reopened, and has no faults.
    const store = { ...createMemoryStore(), close() {} };
    return { store, reopen: () => store, arm() {}, tearDown() {} };
  };
  await expect(fc.assert(storeIsAnArray(setUp), runs)).resolves.toBeUndefined();
});
