import type { NatsConnection } from '@nats-io/nats-core';
import {
  createNatsStore,
  type NatsLink,
  type NatsStore,
  type NatsStoreOptions,
  type StreamConfigOptions,
} from 'brooklet/nats';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type NatsServer, startNatsServer, type NatsServerOptions } from './nats-server.ts';
import { addStream, type StreamState, streamState } from './streams.ts';

/** A server, and the stores of one user on it. */
export interface NatsStage {
  readonly server: NatsServer;
  readonly operator: NatsConnection;
  /** Opens a store on a connection of its own. @param wrap changes what the store gets for its connection */
  open(options?: Partial<NatsStoreOptions>, wrap?: (connection: NatsConnection) => NatsLink): Promise<NatsStore>;
  connect(): Promise<NatsConnection>;
  state(): Promise<StreamState>;
  readonly user: string;
}

/** Starts one server for the tests of a file; each test has a user of its own. */
export function setNatsStage(
  options: NatsServerOptions = {},
  stream: Pick<StreamConfigOptions, 'rollUp'> = { rollUp: true },
): () => NatsStage {
  let server: NatsServer;
  let operator: NatsConnection;
  let count = 0;
  let opened: { close(): unknown }[] = [];
  let stage: NatsStage | undefined;

  beforeAll(async () => {
    server = await startNatsServer(options);
    operator = await server.connect();
  }, 60_000);
  afterEach(async () => {
    for (const it of opened.toReversed()) await it.close();
    opened = [];
    stage = undefined;
  });
  afterAll(async () => {
    await operator?.close();
    await server?.stop();
  });

  function create(): NatsStage {
    const user = `user-${count++}`;
    const ready = addStream(operator, { user, ...stream });
    async function connect(): Promise<NatsConnection> {
      await ready;
      const connection = await server.connect();
      opened.push(connection);
      return connection;
    }
    return {
      server,
      operator,
      user,
      connect,
      async open(changes = {}, wrap = (connection) => connection) {
        const connection = wrap(await connect());
        const store = createNatsStore({ connection, user, ...changes });
        opened.push(store);
        return store;
      },
      state: async () => {
        await ready;
        return streamState(operator, `BROOKLET_${user}`);
      },
    };
  }

  return () => (stage ??= create());
}
