import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';

describe.each([
  ['memory', () => createMemoryStore()],
  ['IndexedDB', () => createIndexedDBStore({ name: 'where' })],
])('a list in %s', (_name, create) => {
  test.each([
    ['a list', { labels: ['work'] }],
    ['an object without `not`', { archived: { isnt: true } }],
    ['more than `not`', { archived: { not: true, or: false } }],
    ['a list that it must not have', { labels: { not: ['work'] } }],
    ['nothing', { archived: undefined }],
  ])('refuses a filter by %s', async (_what, where: object) => {
    const [key = ''] = Object.keys(where);
    // @ts-expect-error -- JavaScript can pass anything
    await expect((async () => create().list({ where }))()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`where.${key}`),
    });
  });
});
