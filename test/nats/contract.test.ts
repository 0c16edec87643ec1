import type { NatsConnection } from '@nats-io/nats-core';
import { createNatsStore } from 'brooklet/nats';
import { storeContract } from 'brooklet/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aesCodec } from '../support/codec.ts';
import { type NatsServer, natsServer, startNatsServer } from './support/nats-server.ts';
import { addStream, api } from './support/streams.ts';

describe.skipIf(natsServer === undefined)('the store over NATS', () => {
  let server: NatsServer;
  let operator: NatsConnection;
  const connections: NatsConnection[] = [];

  beforeAll(async () => {
    server = await startNatsServer();
    operator = await server.connect();
    for (let index = 0; index < 3; index++) connections.push(await server.connect());
  }, 60_000);
  afterAll(async () => {
    await Promise.all([operator, ...connections].map((connection) => connection.close()));
    await server.stop();
  });

  const variants = [
    { variant: 'in the clear', encrypt: undefined },
    { variant: 'encrypted', encrypt: aesCodec() },
  ] as const;
  describe.each(variants)('$variant', ({ encrypt }) => {
    const streams = new Set<string>();
    let opened = 0;

    const behaviours = storeContract(
      async (name) => {
        if (!streams.has(name)) await addStream(operator, { user: name });
        streams.add(name);
        // Stores of one name are on connections of their own.
        const connection = connections[opened++ % connections.length];
        if (connection === undefined) throw new Error('There is no connection.');
        const codec = await encrypt;
        return createNatsStore({ connection, user: name, ...(codec && { encrypt: codec }) });
      },
      {
        unsupported: ['searching'],
        dispose: async (name) => void (await api(operator, `STREAM.DELETE.BROOKLET_${name}`)),
      },
    );
    for (const { name, run, skipped } of behaviours) {
      if (skipped !== undefined) continue;
      // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
      test(name, () => expect(run()).resolves.toBeUndefined());
    }
  });
});
