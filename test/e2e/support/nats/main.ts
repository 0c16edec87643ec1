import { type NatsConnection, wsconnect } from '@nats-io/nats-core';
import { createNatsStore } from 'brooklet/nats';
import { storeContract } from 'brooklet/testing';
import type { Outcome } from './outcome.ts';

declare global {
  /** Creates the stream of a user. The test does so: a page has no right to. */
  function addStream(user: string): Promise<void>;
  function removeStream(user: string): Promise<void>;
  /** Runs the contract over WebSocket, each store of a name on another of three connections. */
  var runContract: (url: string, serverName: string) => Promise<readonly Outcome[]>;
}

globalThis.runContract = async (url, serverName) => {
  const connections: NatsConnection[] = [];
  for (let index = 0; index < 3; index++) connections.push(await wsconnect({ servers: url }));
  for (const { info } of connections)
    if (info?.server_name !== serverName) throw new Error(`This is another server: ${info?.server_name}.`);
  const streams = new Set<string>();
  let opened = 0;
  const behaviours = storeContract(
    async (user) => {
      if (!streams.has(user)) await addStream(user);
      streams.add(user);
      const connection = connections[opened++ % connections.length];
      if (connection === undefined) throw new Error('There is no connection.');
      return createNatsStore({ connection, user });
    },
    { unsupported: ['searching'], dispose: removeStream },
  );
  const outcomes: Outcome[] = [];
  for (const { name, run, skipped } of behaviours) {
    if (skipped === undefined) {
      const problem = await run().then(() => {}, String);
      outcomes.push({ name, ...(problem !== undefined && { problem }) });
    } else outcomes.push({ name, skipped });
  }
  for (const connection of connections) await connection.close();
  return outcomes;
};
