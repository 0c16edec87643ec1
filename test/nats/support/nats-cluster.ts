import { createServer } from 'node:net';
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { until } from '../../support/until.ts';
import { type NatsServer, type NatsServerOptions, startNatsServer } from './nats-server.ts';
import { api } from './streams.ts';

/** Three servers that store each message three times. */
export interface NatsCluster {
  connect(options?: NodeConnectionOptions): Promise<NatsConnection>;
  /** Resolves with the server that leads a stream. */
  leaderOf(stream: string): Promise<NatsServer>;
  /** Starts a server again that was killed, with its data. */
  restart(server: NatsServer): Promise<void>;
  /** Resolves when every server has every message of a stream. */
  settled(stream: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startNatsCluster(): Promise<NatsCluster> {
  const ports = await freePorts(6);
  const routes = ports.slice(3).map((port) => `"nats://127.0.0.1:${port}"`);
  const options: readonly NatsServerOptions[] = [0, 1, 2].map((index) => ({
    name: `node-${index}-${crypto.randomUUID()}`,
    port: ports[index] ?? 0,
    config: `cluster { name: "test", listen: "127.0.0.1:${ports[index + 3]}", routes: [${routes.join(', ')}] }`,
  }));
  const servers = new Map<string, NatsServer>();
  const starting = options.map(async (its) => servers.set(its.name ?? '', await startNatsServer(its)));
  const failed = (await Promise.allSettled(starting)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    for (const server of servers.values()) await server.stop();
    throw failed.reason;
  }

  async function join(more: NodeConnectionOptions = {}): Promise<NatsConnection> {
    const addresses = Array.from(servers.values(), ({ url }) => url);
    const connection = await connect({ servers: addresses, maxReconnectAttempts: -1, reconnectTimeWait: 100, ...more });
    if (!servers.has(connection.info?.server_name ?? '')) throw new Error('This is a server of another test.');
    return connection;
  }

  const operator = await join({ pingInterval: 500, maxPingOut: 2 });
  const infoOf = async (stream: string): Promise<StreamInfo> =>
    (await api(operator, `STREAM.INFO.${stream}`, {}, 1000)) as StreamInfo;

  return {
    connect: join,
    leaderOf: (stream) =>
      until(async () => {
        const { cluster } = await infoOf(stream);
        const leader = servers.get(cluster.leader ?? '');
        if (leader === undefined) throw new Error('There is no leader.');
        return leader;
      }),
    async restart({ name, folder }) {
      const its = options.find((option) => option.name === name);
      servers.set(name, await startNatsServer({ ...its, folder }));
    },
    settled: (stream) =>
      until(async () => {
        const { cluster } = await infoOf(stream);
        if (cluster.replicas?.every(({ current }) => current) !== true || cluster.replicas.length !== 2)
          throw new Error('A server is behind.');
      }),
    async stop() {
      await operator.close();
      for (const server of servers.values()) await server.stop();
    },
  };
}

interface StreamInfo {
  readonly cluster: { readonly leader?: string; readonly replicas?: readonly { readonly current: boolean }[] };
}

/** Ports that nobody listens to at this moment, outside the range from which the system chooses. */
async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) ports.add(port);
  }
  return Array.from(ports);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => void server.close(() => resolve(true)));
  });
}
