import { isJsonObject, type Json } from '../../core/json.ts';
import type { TransactionOf } from '../../storage/disk.ts';
import { createSmallDatabase } from '../../storage/small-database.ts';

/** What a device keeps of itself, in a database of its own. */
export interface DeviceDisk {
  /** Resolves with the key pair of this device: the given one if there is none yet. */
  keyPair(make: () => Promise<CryptoKeyPair>): Promise<CryptoKeyPair>;
  /** Resolves with the last valid list of a store. */
  readList(store: string): Promise<Json | undefined>;
  writeList(store: string, list: Json): Promise<void>;
}

// A type, so that it fits the schemas of `idb` without an import of them.
type Schema = { readonly device: { readonly key: string; readonly value: unknown } };

export function createDeviceDisk(name: string): DeviceDisk {
  const { attempt } = createSmallDatabase<Schema>(name, {
    create: (db) => void db.createObjectStore('device'),
    missing: 'This page has no IndexedDB, where the key of the device is kept.',
  });
  return {
    keyPair: (make) =>
      attempt(async ({ run }) => {
        const stored = await run(['device'], 'readonly', (transaction) => read(transaction, 'key pair'));
        if (isKeyPair(stored)) return stored;
        const made = await make();
        return run(['device'], 'readwrite', async (transaction) => {
          // Another tab may have been first.
          const found = await read(transaction, 'key pair');
          if (isKeyPair(found)) return found;
          await transaction.objectStore('device').put(made, 'key pair');
          return made;
        });
      }),
    readList: (store) =>
      attempt(async ({ run }) => {
        const stored = await run(['device'], 'readonly', (transaction) => read(transaction, `list ${store}`));
        return isJsonObject(stored) ? stored : undefined;
      }),
    writeList: (store, list) =>
      attempt(async ({ run }) => {
        await run(['device'], 'readwrite', (transaction) =>
          transaction.objectStore('device').put(list, `list ${store}`),
        );
      }),
  };
}

function read(transaction: TransactionOf<Schema, 'readonly' | 'readwrite'>, key: string): Promise<unknown> {
  return transaction.objectStore('device').get(key);
}

function isKeyPair(value: unknown): value is CryptoKeyPair {
  return isJsonObject(value) && 'privateKey' in value && 'publicKey' in value;
}
