import 'fake-indexeddb/auto';
import { createVault } from 'brooklet/keys';
import { createAesCodec, createVaultCodec } from 'brooklet/encryption';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAesSessionCodec } from '../../src/encryption/aes/aes-codec.ts';
import { openDevices } from '../../src/sync/devices/open-devices.ts';
import { codecKey } from '../support/codec.ts';
import { untyped } from '../support/untyped.ts';

afterEach(() => vi.restoreAllMocks());

/** Returns whether each key that is made from now on can be exported, by the method that made it. Public keys are left out: all can be read. */
function watchKeys(): ReadonlyMap<CryptoKey, string> {
  const keys = new Map<CryptoKey, string>();
  const { subtle } = crypto;
  const note = (made: CryptoKey | CryptoKeyPair, by: string): void => {
    const one = 'privateKey' in made ? made.privateKey : made;
    if (one.type !== 'public') keys.set(one, by);
  };
  for (const verb of ['importKey', 'deriveKey', 'generateKey'] as const) {
    const real: (...args: readonly never[]) => Promise<CryptoKey | CryptoKeyPair> = subtle[verb].bind(subtle);
    vi.spyOn(subtle, verb).mockImplementation(
      untyped(async (...args: readonly never[]) => {
        const made = await real(...args);
        note(made, verb);
        return made;
      }),
    );
  }
  return keys;
}

const exportable = (keys: ReadonlyMap<CryptoKey, string>): readonly (string | undefined)[] =>
  [...keys.keys()].filter(({ extractable }) => extractable).map((key) => keys.get(key));

describe('no script can read', () => {
  test('the keys of a vault, and those that a codec derives from them', async () => {
    const name = crypto.randomUUID();
    const keys = watchKeys();
    const vault = createVault({ name });
    await vault.add('example', 'sk-0123456789abcdefghij', { baseURL: 'https://api.example.com/v1' });
    await vault.protect('correct horse battery');
    const store = createIndexedDBStore({ name: `${name}-sessions`, codec: createVaultCodec(vault) });
    await store.meta?.update('a', () => 1);
    vault.lock();
    await vault.unlock('correct horse battery');
    expect([...new Set(keys.values())].toSorted()).toEqual(['deriveKey', 'importKey']);
    expect(keys.size).toBeGreaterThan(6);
    expect(exportable(keys)).toEqual([]);
    store.close();
    await vault.dispose();
  });

  test('the key pair of a device', async () => {
    const keys = watchKeys();
    await openDevices({ meta: createMemoryStore().meta, name: 'Laptop', database: crypto.randomUUID() });
    expect([...keys.values()]).toContain('generateKey');
    expect(exportable(keys)).toEqual([]);
  });
});

describe('createAesCodec', () => {
  const of = (algorithm: string, usages: readonly KeyUsage[]): CryptoKey =>
    untyped({ algorithm: { name: algorithm }, usages });

  test.each([
    ['AES-GCM', ['encrypt', 'decrypt']],
    ['AES-GCM', ['deriveKey']],
    ['PBKDF2', ['deriveKey']],
    ['HKDF', ['deriveBits']],
    ['HKDF', []],
  ] as const)('refuses a key for %s with the usages %j', (algorithm, usages) => {
    expect(() => createAesCodec(of(algorithm, usages))).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  test('takes a key for HKDF', async () => {
    expect(() => createAesCodec(of('HKDF', ['deriveKey']))).not.toThrow();
  });
});

describe('a row', () => {
  const bytes = (): Uint8Array<ArrayBuffer> => Uint8Array.of(1, 2, 3);
  const setUp = async () => {
    const key = await codecKey(7);
    return createAesSessionCodec({ get: () => key, request: async () => key });
  };

  test.each([0, 3, 255])('of the version %i is locked: a newer page wrote it', async (version) => {
    const codec = await setUp();
    const row = await codec.encode(bytes(), 'place');
    await expect(codec.decode(row.with(0, version), 'place')).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
  });

  test.each([1, 4, 8])('whose id of the key differs in byte %i is locked', async (index) => {
    const codec = await setUp();
    const row = await codec.encode(bytes(), 'place');
    const other = row.with(index, (row[index] ?? 0) ^ 1);
    await expect(codec.decode(other, 'place')).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
  });

  test.each([9, 10, 24, 25, 26])('that was cut after %i bytes is damaged', async (length) => {
    const codec = await setUp();
    const row = await codec.encode(bytes(), 'place');
    expect(await codec.decode(row.slice(0, length), 'place')).toBeUndefined();
  });
});
