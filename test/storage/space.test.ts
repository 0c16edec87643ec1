import { estimateSpace, keepStorage } from 'brooklet/storage';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

const withStorage = (storage: object | undefined): void => void vi.stubGlobal('navigator', { storage });

describe('keepStorage', () => {
  test.each([true, false])('resolves with the answer of the browser: %s', async (answer) => {
    withStorage({ persist: async () => answer });
    expect(await keepStorage()).toBe(answer);
  });

  test.each([
    ['the page is not secure', undefined],
    ['the browser lacks the method', {}],
    ['the browser rejects', { persist: () => Promise.reject(new TypeError('no')) }],
    [
      'the browser throws',
      {
        persist() {
          throw new TypeError('no');
        },
      },
    ],
  ])('resolves with false where %s', async (_why, storage) => {
    withStorage(storage);
    expect(await keepStorage()).toBe(false);
  });
});

describe('estimateSpace', () => {
  test('resolves with bytes, and whether they are persistent', async () => {
    withStorage({ estimate: async () => ({ usage: 5, quota: 100 }), persisted: async () => true });
    expect(await estimateSpace()).toEqual({ usage: 5, quota: 100, isPersistent: true });
    withStorage({ estimate: async () => ({ usage: 0, quota: 100 }) });
    expect(await estimateSpace()).toEqual({ usage: 0, quota: 100, isPersistent: false });
  });

  test.each([undefined, {}, { estimate: async () => ({}) }, { estimate: () => Promise.reject(new TypeError('no')) }])(
    'resolves with undefined for a storage of %j',
    async (storage) => {
      withStorage(storage);
      expect(await estimateSpace()).toBeUndefined();
    },
  );
});
