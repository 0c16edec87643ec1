import 'fake-indexeddb/auto';
import type { NatsConnection } from '@nats-io/nats-core';
import { createNatsStore } from 'brooklet/nats';
import { createRemote, createSyncedStore } from 'brooklet/sync';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import { storeContract } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NatsServer, natsServer, startNatsServer } from './support/nats-server.ts';
import { addStream, api } from './support/streams.ts';

describe.skipIf(natsServer === undefined)('a replica of a local store and a store over NATS', () => {
  let server: NatsServer;
  let operator: NatsConnection;
  let connection: NatsConnection;

  beforeAll(async () => {
    server = await startNatsServer();
    operator = await server.connect();
    connection = await server.connect();
  }, 60_000);
  afterAll(async () => {
    await Promise.all([operator, connection].map((its) => its.close()));
    await server.stop();
  });

  const locals = [
    {
      local: 'memory',
      open: () => createMemoryStore(),
      unsupported: ['persistence', 'sharing', 'announcing'],
      dispose: async () => {},
    },
    {
      local: 'IndexedDB',
      open: (name: string) => createIndexedDBStore({ name }),
      unsupported: [],
      dispose: (name: string) => deleteDB(name),
    },
  ] as const;
  describe.each(locals)('$local', ({ open, unsupported, dispose }) => {
    const streams = new Set<string>();
    const behaviours = storeContract(
      async (name) => {
        if (!streams.has(name)) await addStream(operator, { user: name });
        streams.add(name);
        return createSyncedStore({
          local: open(name),
          remote: createRemote(createNatsStore({ connection, user: name })),
          device: 'phone',
        });
      },
      {
        unsupported,
        async dispose(name) {
          await dispose(name);
          await api(operator, `STREAM.DELETE.BROOKLET_${name}`);
        },
      },
    );
    for (const { name, run, skipped } of behaviours) {
      if (skipped !== undefined) continue;
      // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
      test(name, () => expect(run()).resolves.toBeUndefined());
    }
  });
});
