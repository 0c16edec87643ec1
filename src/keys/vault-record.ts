import type { DBSchema } from 'idb';
import { fail } from '../core/error.ts';
import { isJsonObject } from '../core/json.ts';
import { createSmallDatabase } from '../storage/small-database.ts';
import { mostRounds, type Sealed } from './seal.ts';

/** What opens the data key of a vault: each lock contains the same key, sealed in its own way. */
export type VaultLock =
  | { readonly kind: 'passphrase'; readonly salt: ArrayBuffer; readonly iterations: number; readonly dataKey: Sealed }
  | {
      readonly kind: 'passkey';
      readonly credentialId: ArrayBuffer;
      readonly salt: ArrayBuffer;
      readonly dataKey: Sealed;
    };

/** A stored key, without the key: a locked vault can name what it has. */
export interface StoredKey {
  readonly id: string;
  readonly origin: string;
  /** ms since the epoch */
  readonly addedAt: number;
}

/** What is on the disk. Invariant: no part of a key is in it unencrypted. */
export interface VaultRecord {
  /** Counts the changes: a change states the revision that it is based on. */
  readonly revision: number;
  readonly locks: readonly VaultLock[];
  readonly keys: readonly StoredKey[];
  readonly secrets: Sealed;
}

/** Reads and changes the record of one vault. Each method rejects with AgentError of type `STORAGE`. */
export interface VaultDisk {
  read(): Promise<VaultRecord | undefined>;
  /** Resolves with whether the stored record had the revision `base`; 0 for none. Otherwise nothing is changed. */
  replace(base: number, record: VaultRecord): Promise<boolean>;
  /** Erases the record, also a damaged one. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

interface Schema extends DBSchema {
  /** `unknown`, because stored values are checked. */
  vault: { key: string; value: unknown };
}

export function createVaultDisk(name: string): VaultDisk {
  const { attempt, close } = createSmallDatabase<Schema>(name, {
    create: (db) => void db.createObjectStore('vault'),
    missing: 'This page has no IndexedDB: keys stay in memory.',
  });

  return {
    read: () =>
      attempt(async ({ run }) =>
        toRecord(await run(['vault'], 'readonly', (transaction) => transaction.objectStore('vault').get('record'))),
      ),
    replace: (base, record) =>
      attempt(({ run }) =>
        run(['vault'], 'readwrite', async (transaction) => {
          const vault = transaction.objectStore('vault');
          const stored: unknown = await vault.get('record');
          const isBase = (isJsonObject(stored) ? stored.revision : 0) === base;
          if (isBase) await vault.put(record, 'record');
          return isBase;
        }),
      ),
    erase: () =>
      attempt(({ run }) =>
        run(['vault'], 'readwrite', (transaction) => transaction.objectStore('vault').delete('record')),
      ),
    close,
  };
}

/** @throws AgentError `STORAGE_CORRUPT` */
function toRecord(value: unknown): VaultRecord | undefined {
  if (value === undefined) return undefined;
  return isRecord(value)
    ? value
    : fail('STORAGE_CORRUPT', 'The stored keys are damaged, or of a newer version. Erase them with forget().');
}

function isRecord(value: unknown): value is VaultRecord {
  const { revision, locks, keys, secrets } = fieldsOf(value);
  return Number.isInteger(revision) && areLocks(locks) && isListOf(keys, isStoredKey) && isSealed(secrets);
}

/** A vault has one lock of a passphrase: each further one would take the time of one to try. */
function areLocks(value: unknown): value is readonly VaultLock[] {
  return isListOf(value, isLock) && value.filter(({ kind }) => kind === 'passphrase').length <= 1;
}

function isLock(value: unknown): value is VaultLock {
  const { kind, salt, iterations, credentialId, dataKey } = fieldsOf(value);
  if (!isBytes(salt) || !isSealed(dataKey)) return false;
  if (kind === 'passkey') return isBytes(credentialId);
  return kind === 'passphrase' && isRounds(iterations);
}

const isRounds = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostRounds;

function isStoredKey(value: unknown): value is StoredKey {
  const { id, origin, addedAt } = fieldsOf(value);
  return typeof id === 'string' && typeof origin === 'string' && typeof addedAt === 'number';
}

function isSealed(value: unknown): value is Sealed {
  const { iv, data } = fieldsOf(value);
  return isBytes(iv) && isBytes(data);
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isBytes(value: unknown): value is ArrayBuffer {
  return value instanceof ArrayBuffer;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
