import { estimateSpace, keepStorage } from 'brooklet/storage';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

const withStorage = (storage: object | undefined): void => void vi.stubGlobal('navigator', { storage });

describe('the promise not to erase what is stored', () => {
  test.each([true, false])('is asked for, and told as it is: %s', async (answer) => {
    withStorage({ persist: async () => answer });
    expect(await keepStorage()).toBe(answer);
  });

  test.each([
    ['the page is not secure', undefined],
    ['the browser has no such thing', {}],
    ['it is refused with an error', { persist: () => Promise.reject(new TypeError('no')) }],
    [
      'it throws',
      {
        persist() {
          throw new TypeError('no');
        },
      },
    ],
  ])('is not given where %s', async (_why, storage) => {
    withStorage(storage);
    expect(await keepStorage()).toBe(false);
  });
});

describe('the space', () => {
  test('is told in bytes, with whether it is safe', async () => {
    withStorage({ estimate: async () => ({ usage: 5, quota: 100 }), persisted: async () => true });
    expect(await estimateSpace()).toEqual({ usage: 5, quota: 100, isPersistent: true });
    withStorage({ estimate: async () => ({ usage: 0, quota: 100 }) });
    expect(await estimateSpace()).toEqual({ usage: 0, quota: 100, isPersistent: false });
  });

  test.each([undefined, {}, { estimate: async () => ({}) }, { estimate: () => Promise.reject(new TypeError('no')) }])(
    'is not known from %j',
    async (storage) => {
      withStorage(storage);
      expect(await estimateSpace()).toBeUndefined();
    },
  );
});
