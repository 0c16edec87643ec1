import { createAesCodec } from 'brooklet/encryption';
import { importSharedKey, openSharedKey } from 'brooklet/sync';
import type { StoreMeta } from '../../src/core/model/store.ts';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';

const passphrase = 'correct horse battery';

function setUp(): StoreMeta {
  return createMemoryStore().meta ?? expect.unreachable('a memory store has meta');
}

/** Runs `act` once, in the place of another device, before the first update of a key. */
function withRival(meta: StoreMeta, act: () => Promise<unknown>): StoreMeta {
  let isFirst = true;
  return {
    get: (key) => meta.get(key),
    async update(key, change) {
      if (isFirst) {
        isFirst = false;
        await act();
      }
      return meta.update(key, change);
    },
  };
}

async function everythingIn(meta: StoreMeta): Promise<string> {
  return JSON.stringify(await meta.get('brooklet shared key'));
}

describe('the key that devices share', () => {
  test('is made by the first device and found by the second one, by the passphrase', async () => {
    const meta = setUp();
    const key = await openSharedKey(meta, { passphrase });
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await openSharedKey(meta, { passphrase })).toBe(key);
    expect(await openSharedKey(setUp(), { passphrase })).not.toBe(key);
  });

  test('is found by a device that may not make one', async () => {
    const meta = setUp();
    const key = await openSharedKey(meta, { passphrase });
    expect(await openSharedKey(meta, { passphrase, isCreated: false })).toBe(key);
  });

  test('is made with a passphrase of eight characters', async () => {
    const meta = setUp();
    const key = await openSharedKey(meta, { passphrase: '12345678' });
    expect(await openSharedKey(meta, { passphrase: '12345678' })).toBe(key);
  });

  test('is the same for two devices that are the first at the same time', async () => {
    const meta = setUp();
    let rival = '';
    const key = await openSharedKey(
      withRival(meta, async () => (rival = await openSharedKey(meta, { passphrase }))),
      { passphrase },
    );
    expect(key).toBe(rival);
  });

  test('is stored sealed only', async () => {
    const meta = setUp();
    const key = await openSharedKey(meta, { passphrase });
    expect(await everythingIn(meta)).not.toContain(key);
    expect(await everythingIn(meta)).not.toContain(passphrase);
  });

  test('does not open with another passphrase, and the stored key stays', async () => {
    const meta = setUp();
    const key = await openSharedKey(meta, { passphrase });
    await expect(openSharedKey(meta, { passphrase: 'another passphrase' })).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
    expect(await openSharedKey(meta, { passphrase })).toBe(key);
  });

  test('is not made where another device must make it', async () => {
    const meta = setUp();
    await expect(openSharedKey(meta, { passphrase, isCreated: false })).rejects.toMatchObject({
      code: 'STORAGE_LOCKED',
      retryable: false,
    });
    expect(await meta.get('brooklet shared key')).toBeUndefined();
  });

  test.each([['short', 'INVALID_INPUT']])('is not sealed by a passphrase that is %s', async (short, code) => {
    await expect(openSharedKey(setUp(), { passphrase: short })).rejects.toMatchObject({ code });
  });

  test.each([
    ['no object', 'text'],
    ['without a salt', { iv: 'AAAA', data: 'AAAA', rounds: 1 }],
    ['with too many rounds', { iv: 'AAAA', data: 'AAAA', salt: 'AAAA', rounds: 1e12 }],
    ['with characters of no base64url', { iv: '*', data: 'AAAA', salt: 'AAAA', rounds: 1 }],
  ])('is reported as damaged where the entry is %s, and not replaced', async (_name, value) => {
    const meta = setUp();
    await meta.update('brooklet shared key', () => value);
    await expect(openSharedKey(meta, { passphrase })).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
    expect(await meta.get('brooklet shared key')).toEqual(value);
  });

  test('makes codecs of two devices that read each other', async () => {
    const meta = setUp();
    const [one, other] = await Promise.all(
      [1, 2].map(async () =>
        createAesCodec(await importSharedKey(await openSharedKey(meta, { passphrase }))).loadCodec(),
      ),
    );
    const sealed = await one?.encode(Uint8Array.of(1, 2, 3), 'a place');
    expect(sealed && (await other?.decode(sealed, 'a place'))).toEqual(Uint8Array.of(1, 2, 3));
  });

  test.each(['', 'AAAA', `${'A'.repeat(42)}*`])('is not imported from %j', async (text) => {
    await expect(importSharedKey(text)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
