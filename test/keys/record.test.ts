import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mostRounds } from '../../src/keys/seal.ts';
import { createVaultDisk, type VaultDisk } from '../../src/keys/vault-record.ts';
import { toShown } from '../../src/keys/vault-secrets.ts';

const bytes = (): ArrayBuffer => new ArrayBuffer(4);
const sealed = () => ({ iv: bytes(), data: bytes() });
const passphrase = (fields: object = {}) => ({
  kind: 'passphrase',
  salt: bytes(),
  iterations: 600_000,
  dataKey: sealed(),
  ...fields,
});
const passkey = (fields: object = {}) => ({
  kind: 'passkey',
  credentialId: bytes(),
  salt: bytes(),
  dataKey: sealed(),
  ...fields,
});
const key = (fields: object = {}) => ({ id: 'a', origin: 'https://a.example', addedAt: 1, ...fields });
const record = (fields: object = {}) => ({
  revision: 1,
  locks: [passphrase(), passkey(), passkey()],
  keys: [key(), key({ id: 'b' })],
  secrets: sealed(),
  ...fields,
});

let name: string;
let disk: VaultDisk;

beforeEach(() => {
  name = `record-${crypto.randomUUID()}`;
  disk = createVaultDisk(name);
});
afterEach(() => disk.close());

/** Writes a value in the place of the record, as another page could. */
async function put(value: unknown): Promise<void> {
  await disk.read();
  const db = await openDB(name);
  await db.put('vault', value, 'record');
  db.close();
}

describe('the record of a vault', () => {
  test.each<[what: string, value: unknown]>([
    ['all kinds of locks', record()],
    ['no lock of a passphrase', record({ locks: [passkey()] })],
    ['one round', record({ locks: [passphrase({ iterations: 1 })] })],
    ['the most rounds', record({ locks: [passphrase({ iterations: mostRounds })] })],
    ['no keys', record({ keys: [] })],
  ])('is read with %s', async (_what, value) => {
    await put(value);
    expect(await disk.read()).toEqual(value);
  });

  test.each<[what: string, value: unknown]>([
    ['null', null],
    ['text', 'record'],
    ['a list', [record()]],
    ['no revision', record({ revision: undefined })],
    ['a revision between two', record({ revision: 1.5 })],
    ['locks that are no list', record({ locks: {} })],
    ['two locks of a passphrase: each takes the time of one to try', record({ locks: [passphrase(), passphrase()] })],
    ['a bad lock after a good one', record({ locks: [passphrase(), {}] })],
    ['a lock of another kind', record({ locks: [passphrase({ kind: 'face' })] })],
    ['a lock that is null', record({ locks: [null] })],
    ['a salt of text', record({ locks: [passphrase({ salt: 'salt' })] })],
    ['no data key', record({ locks: [passphrase({ dataKey: undefined })] })],
    ['a data key without bytes', record({ locks: [passphrase({ dataKey: { iv: bytes() } })] })],
    ['a data key without a vector', record({ locks: [passphrase({ dataKey: { data: bytes() } })] })],
    ['no rounds', record({ locks: [passphrase({ iterations: 0 })] })],
    ['rounds that take for ever', record({ locks: [passphrase({ iterations: mostRounds + 1 })] })],
    ['rounds between two', record({ locks: [passphrase({ iterations: 1.5 })] })],
    ['a passkey without its id', record({ locks: [passkey({ credentialId: undefined })] })],
    ['keys that are no list', record({ keys: key() })],
    ['a bad key after a good one', record({ keys: [key(), {}] })],
    ['a key without an id', record({ keys: [key({ id: 1 })] })],
    ['a key without an origin', record({ keys: [key({ origin: undefined })] })],
    ['a key without a time', record({ keys: [key({ addedAt: '1' })] })],
    ['secrets that are not encrypted', record({ secrets: [{ id: 'a', key: 'sk-1' }] })],
    ['secrets without a vector', record({ secrets: { data: bytes() } })],
  ])('is damaged with %s', async (_what, value) => {
    await put(value);
    await expect(disk.read()).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
  });

  test('is replaced only by a change that is based on it', async () => {
    const [first, second] = [1, 2].map((revision) => ({ revision, locks: [], keys: [], secrets: sealed() }));
    if (!first || !second) throw new Error('no records');
    expect(await disk.replace(1, first)).toBe(false);
    expect(await disk.read()).toBeUndefined();
    expect(await disk.replace(0, first)).toBe(true);
    expect(await disk.replace(0, second)).toBe(false);
    expect(await disk.read()).toEqual(first);
    expect(await disk.replace(1, second)).toBe(true);
    expect(await disk.read()).toEqual(second);
  });

  test('is erased, damaged or not', async () => {
    await put('damaged');
    await disk.erase();
    expect(await disk.read()).toBeUndefined();
  });
});

test.each([
  ['k'.repeat(19), undefined],
  [`${'k'.repeat(16)}WXYZ`, 'WXYZ'],
])('of the key %s the page sees the end %s', (secret, lastFour) => {
  expect(toShown({ ...key(), key: secret }).lastFour).toBe(lastFour);
});
