import type { Json } from 'brooklet/core';
import type { DeviceDisk } from '../../src/sync/devices/device-disk.ts';

/** Returns a disk of one device that keeps its key pair and its lists in memory. */
export function createMemoryDisk(): DeviceDisk {
  let pair: CryptoKeyPair | undefined;
  const lists = new Map<string, Json>();
  return {
    keyPair: async (make) => (pair ??= await make()),
    readList: async (store) => lists.get(store),
    writeList: async (store, list) => void lists.set(store, list),
  };
}
