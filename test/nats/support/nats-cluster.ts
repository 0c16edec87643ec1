import { createServer } from 'node:net';
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { type NatsServer, type NatsServerOptions, startNatsServer } from './nats-server.ts';
import { createOperator } from './operator.ts';
import { api } from './streams.ts';

/** Three servers that store each message three times, and the operator who attends to them. */
export interface NatsCluster {
  connect(options?: NodeConnectionOptions): Promise<NatsConnection>;
  /** Resolves with the server that leads a stream. @param former a server that was killed or paused, and cannot lead it */
  leaderOf(stream: string, former?: NatsServer): Promise<NatsServer>;
  /** Starts a server again that was killed, with its data, unless the operator has done so. */
  restart(server: NatsServer): Promise<void>;
  /** Resolves when every server has as many messages of a stream as the leader has now. */
  settled(stream: string): Promise<void>;
  /** Resolves when a stream stores messages. */
  works(stream: string, subject: string): Promise<void>;
  /** What the operator had to do, in the order of time. */
  readonly interventions: readonly string[];
  /** Resolves with what the servers say: their view of the streams, and the end of their logs. */
  report(): Promise<string>;
  stop(): Promise<void>;
}

export async function startNatsCluster(): Promise<NatsCluster> {
  const ports = await freePorts(6);
  const routes = ports.slice(3).map((port) => `"nats://127.0.0.1:${port}"`);
  const options: readonly NatsServerOptions[] = [0, 1, 2].map((index) => ({
    name: `node-${index}-${crypto.randomUUID()}`,
    port: ports[index] ?? 0,
    config: [
      'http: "127.0.0.1:-1"',
      `cluster { name: "test", listen: "127.0.0.1:${ports[index + 3]}", routes: [${routes.join(', ')}] }`,
    ].join('\n'),
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

  async function start(name: string): Promise<void> {
    const { folder } = servers.get(name) ?? {};
    if (folder === undefined || servers.get(name)?.isRunning()) return;
    const its = options.find((option) => option.name === name);
    servers.set(name, await startNatsServer({ ...its, folder }));
  }

  const operator = createOperator({ servers, start });
  const link = await join({ pingInterval: 500, maxPingOut: 2 });
  const leaderIn = async (stream: string): Promise<string | undefined> =>
    ((await api(link, `STREAM.INFO.${stream}`, {}, 1000)) as StreamInfo).cluster.leader;

  return {
    connect: join,
    leaderOf: (stream, former) =>
      operator.attend(`${stream} has no leader`, async () => {
        const leader = servers.get((await leaderIn(stream)) ?? '');
        if (leader === undefined) throw new Error('There is no leader.');
        // Once it was started again it may lead.
        if (leader === former) throw new Error('There is no other leader.');
        return leader;
      }),
    restart: ({ name }) => start(name),
    async settled(stream) {
      const messagesOf = async (server: NatsServer): Promise<number> =>
        (await operator.streamsOf(server)).find(({ name }) => name === stream)?.state.messages ?? 0;
      let messages: number | undefined;
      await operator.attend(`a server lacks messages of ${stream}`, async () => {
        const leader = servers.get((await leaderIn(stream)) ?? '');
        if (leader === undefined) throw new Error('There is no leader.');
        messages ??= await messagesOf(leader);
        // The store itself is asked: a server that the leader takes for current may still fetch messages that its Raft log lacks.
        for (const server of servers.values())
          if ((await messagesOf(server)) < messages) throw new Error(`${server.name} has not ${messages} messages.`);
      });
    },
    works: (stream, subject) =>
      operator.attend(`${stream} stores nothing`, async () => {
        const answer: { readonly error?: { readonly description?: string }; readonly stream?: string } = (
          await link.request(subject, '', { timeout: 2000 })
        ).json();
        if (answer.stream !== stream) throw new Error(answer.error?.description ?? 'The message was not stored.');
      }),
    interventions: operator.interventions,
    report: operator.report,
    async stop() {
      await link.close();
      for (const server of servers.values()) await server.stop();
    },
  };
}

interface StreamInfo {
  readonly cluster: { readonly leader?: string };
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
