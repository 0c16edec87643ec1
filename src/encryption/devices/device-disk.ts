import { isJsonObject, type Json } from '../../core/json.ts';
import { createSmallDatabase } from '../../storage/small-database.ts';

/** What a device keeps of itself, in a database of its own. */
export interface DeviceDisk {
  /** Resolves with the key pair of this device: the given one if there is none yet. */
  keyPair(make: () => Promise<CryptoKeyPair>): Promise<CryptoKeyPair>;
  /** Resolves with the last list of a store that was right. */
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
      attempt(async (db) => {
        const stored: unknown = await db.get('device', 'key pair');
        if (isKeyPair(stored)) return stored;
        const made = await make();
        const transaction = db.transaction('device', 'readwrite');
        // Another tab may have been first.
        const found: unknown = await transaction.store.get('key pair');
        if (!isKeyPair(found)) await transaction.store.put(made, 'key pair');
        await transaction.done;
        return isKeyPair(found) ? found : made;
      }),
    readList: (store) =>
      attempt(async (db) => {
        const stored: unknown = await db.get('device', `list ${store}`);
        return isJsonObject(stored) ? stored : undefined;
      }),
    writeList: (store, list) => attempt(async (db) => void (await db.put('device', list, `list ${store}`))),
  };
}

function isKeyPair(value: unknown): value is CryptoKeyPair {
  return isJsonObject(value) && 'privateKey' in value && 'publicKey' in value;
}
