import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { expect } from 'vitest';
import { findNats } from '../../../scripts/find-nats.mjs';
import { until } from '../../support/until.ts';

/** The path of nats-server; missing where this machine has none. `npm test` installs one, or says why not. */
export const natsServer = findNats({ env: process.env, isExecutable });

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A nats-server of this test alone, with its data in a folder of its own. */
export interface NatsServer {
  readonly name: string;
  /** Where the server keeps its data. */
  readonly folder: string;
  /** `127.0.0.1:<port>` */
  readonly url: string;
  /** `ws://127.0.0.1:<port>` */
  readonly webSocketUrl: string;
  /** Of the monitoring page, if the configuration has one. */
  readonly monitorUrl: string;
  readonly process: ChildProcess;
  connect(options?: NodeConnectionOptions): Promise<NatsConnection>;
  isRunning(): boolean;
  /** The end of what the server has logged, also before it was started again. @param lines their number */
  readLog(lines: number): Promise<string>;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends the server as an operator does. */
  shutDown(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

export interface NatsServerOptions {
  readonly name?: string;
  /** Further lines of the configuration. */
  readonly config?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Lines for WebSocket. */
  readonly webSocket?: string;
  /** Where the server keeps its data, for a server that starts again. Default: a new folder. */
  readonly folder?: string;
}

/** Starts a server on free ports. */
export async function startNatsServer({
  name = `test-${crypto.randomUUID()}`,
  config = '',
  port = -1,
  webSocket = 'port: -1, no_tls: true',
  folder: given,
}: NatsServerOptions = {}): Promise<NatsServer> {
  if (natsServer === undefined) throw new Error('There is no nats-server.');
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'brooklet-nats-')));
  const text = [
    `server_name: "${name}"`,
    `listen: "127.0.0.1:${port}"`,
    `jetstream { store_dir: "${folder}/store" }`,
    `websocket { host: "127.0.0.1", ${webSocket} }`,
    config,
  ].join('\n');
  await writeFile(join(folder, 'nats.conf'), text);
  const logFile = join(folder, 'nats.log');
  const readLog = async (lines: number): Promise<string> =>
    (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-lines).join('\n');
  const log = openSync(logFile, 'a');
  const child = spawn(natsServer, ['-c', join(folder, 'nats.conf'), '--ports_file_dir', folder], {
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = ended.then(async () => Promise.reject(new Error(`nats-server ended: ${await readLog(40)}`)));
  failed.catch(() => {});
  const ports = await Promise.race([until(() => readPorts(join(folder, `nats-server_${child.pid}.ports`))), failed]);
  const end = (...signals: readonly NodeJS.Signals[]): Promise<void> => {
    for (const signal of signals) child.kill(signal);
    return ended;
  };
  const kill = (): Promise<void> => end('SIGKILL');
  const [url = ''] = ports.nats ?? [];
  const [webSocketUrl = ''] = ports.websocket ?? [];
  const [monitorUrl = ''] = ports.monitoring ?? [];
  const address = url.replace('nats://', '');
  return {
    name,
    folder,
    url: address,
    webSocketUrl,
    monitorUrl,
    process: child,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    readLog,
    async connect(options = {}) {
      const connection = await connect({ servers: address, ...options });
      // Another server may have taken the port.
      expect(connection.info?.server_name).toBe(name);
      return connection;
    },
    kill,
    // A server that was paused ends, too.
    shutDown: () => end('SIGTERM', 'SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the server writes once it listens. */
interface Ports {
  readonly nats?: readonly string[];
  readonly websocket?: readonly string[];
  readonly monitoring?: readonly string[];
}

/** Rejects until the server has written all of the file. */
async function readPorts(path: string): Promise<Ports> {
  const ports: Ports = JSON.parse(await readFile(path, 'utf8'));
  return ports;
}
