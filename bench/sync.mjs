// Measures sessions on several devices over a nats-server of its own: a server with many sessions, how far one device is behind another one
// whose answer streams, what a write costs with a replica, how soon a new device has its list, and how soon it notices that the other one is dead. Prints rows; there is no limit, because
// the machine decides. Run it on a quiet one, after `npm run build`.
//
//   node bench/sync.mjs               1,000 sessions for each of 100 users: some minutes
//   node bench/sync.mjs --users 5     fewer
//   node bench/sync.mjs --server      without pages
//   node bench/sync.mjs --deaths      only how soon another device asks what becomes of a run whose device was killed

import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from '@nats-io/transport-node';
import { chromium } from 'playwright';
import { build, loadConfigFromFile, preview } from 'vite';
import { createNatsStore, toStreamConfig } from '../dist/sync/nats/index.js';
import { launchArgs } from '../scripts/find-browser.mjs';
import { findNats, withoutNats } from '../scripts/find-nats.mjs';

const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '100' },
    server: { type: 'boolean', default: false },
    deaths: { type: 'boolean', default: false },
  },
});
const users = Number(options.users);
const sessionsOfUser = 1_000;
/** Writes under way at a time. */
const atOnce = 200;
/** Times that the browser of a device is killed. */
const deaths = 7;

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {readonly number[]} values @param {number} share */
function at(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** @param {readonly number[]} values */
const spread = (values) => `p50 ${at(values, 0.5).toFixed(1)} ms, p95 ${at(values, 0.95).toFixed(1)} ms`;

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Starts a server on free ports, with its data in a folder of its own. */
async function startServer() {
  const path = findNats({ env: process.env, isExecutable });
  if (path === undefined) throw new Error(withoutNats);
  const folder = await mkdtemp(join(tmpdir(), 'brooklet-bench-'));
  const name = `bench-${crypto.randomUUID()}`;
  const config = [
    `server_name: "${name}"`,
    'listen: "127.0.0.1:-1"',
    `jetstream { store_dir: "${folder}/store" }`,
    'websocket { host: "127.0.0.1", port: -1, no_tls: true }',
  ];
  await writeFile(join(folder, 'nats.conf'), config.join('\n'));
  const child = spawn(path, ['-c', join(folder, 'nats.conf'), '--ports_file_dir', folder], { stdio: 'ignore' });
  /** @type {{ nats: string[], websocket: string[] } | undefined} */
  let ports;
  while (ports === undefined && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const text = await readFile(join(folder, `nats-server_${child.pid}.ports`), 'utf8').catch(() => '');
    if (text.trimEnd().endsWith('}')) ports = JSON.parse(text);
  }
  if (ports === undefined) throw new Error('nats-server ended.');
  const [address = '', webSocketUrl = ''] = [ports.nats[0], ports.websocket[0]];
  return {
    name,
    webSocketUrl,
    connect: () => connect({ servers: address }),
    /** Megabytes of memory that the process has. */
    memory() {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return Math.round(Number(kilobytes) / 1_000);
    },
    async stop() {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param {import('@nats-io/nats-core').NatsConnection} connection @param {string} subject @param {object} body */
async function api(connection, subject, body) {
  const answer = (await connection.request(`$JS.API.${subject}`, JSON.stringify(body), { timeout: 60_000 })).json();
  if (answer.error) throw new Error(answer.error.description);
  return answer;
}

/** Returns the write of a session with one message. @param {string} id @param {number} at */
function writeOf(id, at) {
  const message = {
    id: `message-${id}`,
    role: 'user',
    content: [{ type: 'text', text: 'x'.repeat(400) }],
    timestamp: at,
  };
  return {
    sessionId: id,
    events: [
      { type: 'session.started', sessionId: id, seq: 1, at, v: 2 },
      { type: 'message.added', message, seq: 2, at, v: 2 },
    ],
    summary: {
      id,
      title: `A conversation about ${id}`,
      createdAt: at,
      updatedAt: at,
      status: 'idle',
      messageCount: 1,
      usage: { input: 0, output: 0 },
      seq: 2,
    },
    expectedSeq: 0,
    writeId: `${id}/1`,
    durability: 'relaxed',
  };
}

/** Stores the sessions of all users. @param {Awaited<ReturnType<typeof startServer>>} server */
async function fill(server) {
  const connection = await server.connect();
  for (let nth = 0; nth < users; nth++) {
    const user = `user-${nth}`;
    await api(connection, `STREAM.CREATE.BROOKLET_${user}`, toStreamConfig({ user }));
    const store = createNatsStore({ connection, user, timeout: 60_000 });
    for (let from = 0; from < sessionsOfUser; from += atOnce)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, sessionsOfUser - from) }, (_, index) =>
          store.write(writeOf(`${user}-session-${from + index}`, 1_700_000_000_000 + from + index)),
        ),
      );
    store.close();
  }
  await connection.close();
}

/** @param {Awaited<ReturnType<typeof startServer>>} server */
async function measureServer(server) {
  const empty = server.memory();
  const seconds = (await timed(() => fill(server))) / 1_000;
  console.log(`${users * sessionsOfUser} sessions of ${users} users are stored after ${seconds.toFixed(0)} s`);
  console.log(`memory of the server: ${empty} MB when it is empty, ${server.memory()} MB then`);

  const pages = [];
  const changes = [];
  for (let nth = 0; nth < Math.min(users, 20); nth++) {
    const user = `user-${nth}`;
    const connection = await server.connect();
    const store = createNatsStore({ connection, user });
    pages.push(await timed(() => store.list({ limit: 50 })));
    const { state } = await api(connection, `STREAM.INFO.BROOKLET_${user}`, {});
    for (let index = 0; index < 10; index++) await store.write(writeOf(`${user}-new-${index}`, Date.now()));
    // As the store asks when its connection is back.
    changes.push(await timed(() => readSince(connection, user, state.last_seq + 1, 10)));
    store.close();
    await connection.close();
  }
  console.log(`first page of one user, 1,000 sessions: ${spread(pages)}`);
  console.log(`what changed, 10 sessions: ${spread(changes)}`);
  console.log(`memory of the server after these lists: ${server.memory()} MB`);
}

/** Reads the heads of the messages from one on. @param {import('@nats-io/nats-core').NatsConnection} connection @param {string} user @param {number} from @param {number} count */
async function readSince(connection, user, from, count) {
  const [stream, name, filter_subject] = [`BROOKLET_${user}`, crypto.randomUUID(), `brooklet.${user}.log.*`];
  const place = { deliver_policy: 'by_start_sequence', opt_start_seq: from };
  const config = {
    name,
    filter_subject,
    ...place,
    ack_policy: 'none',
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
  };
  await api(connection, `CONSUMER.CREATE.${stream}.${name}.${filter_subject}`, { stream_name: stream, config });
  const inbox = connection.subscribe(`_INBOX.${name}`, { max: count });
  connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, JSON.stringify({ batch: count }), {
    reply: `_INBOX.${name}`,
  });
  let heads = 0;
  for await (const _message of inbox) heads += 1;
  if (heads !== count) throw new Error(`${heads} of ${count} messages have come.`);
}

/** Builds and serves the page of the tests. */
async function servePage() {
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, 'vite.config.ts');
  const root = fileURLToPath(new URL('../test/e2e/support/replica', import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), 'brooklet-bench-page-'));
  const alias = loaded?.config.resolve?.alias;
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { ...(alias && { alias }) },
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 5_000 },
  });
  const settings = { configFile: false, root, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } };
  const server = await preview({ ...settings, build: { outDir } });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  return {
    url: `http://localhost:${address.port}/`,
    async stop() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

/** How a browser is started. */
const launching = {
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: [...launchArgs],
};

/** @param {Awaited<ReturnType<typeof startServer>>} server @param {Awaited<ReturnType<typeof servePage>>} site */
async function measurePages(server, site) {
  const browsers = await Promise.all([0, 1].map(() => chromium.launch(launching)));
  const operator = await server.connect();
  /** @param {number} which browser @param {string} user @param {number} [textInterval] */
  const open = async (which, user, textInterval) => {
    const page = await /** @type {import('playwright').Browser} */ (browsers[which]).newPage();
    await page.goto(site.url);
    const its = { url: server.webSocketUrl, serverName: server.name, user, device: `device-${which}`, textInterval };
    await page.evaluate((begin) => globalThis.device.begin(begin), its);
    return page;
  };
  try {
    for (const textInterval of [100, 1_000]) {
      const user = `follow-${textInterval}`;
      await api(operator, `STREAM.CREATE.BROOKLET_${user}`, toStreamConfig({ user }));
      const [writer, reader] = [await open(0, user, textInterval), await open(1, user, textInterval)];
      const id = await writer.evaluate(() => globalThis.device.create());
      await writer.evaluate((its) => globalThis.device.open(its), id);
      await writer.evaluate((its) => globalThis.device.send(its, 'Write'), id);
      await reader.evaluate(() => globalThis.device.timeList(1));
      await reader.evaluate((its) => globalThis.device.open(its), id);
      await reader.waitForFunction((its) => globalThis.device.view(its).status === 'idle', id, { timeout: 60_000 });
      const [wrote, saw] = await Promise.all(
        [writer, reader].map((page) => page.evaluate((its) => globalThis.device.seen(its), id)),
      );
      const from = saw?.[0]?.[0] ?? Infinity;
      const behind = (wrote ?? [])
        .filter(([time]) => time >= from)
        .flatMap(([time, length]) => (saw ?? []).find(([, seen]) => seen >= length)?.[0] ?? [])
        .map((time, index) => time - ((wrote ?? []).filter(([begun]) => begun >= from)[index]?.[0] ?? time));
      console.log(
        `another device is behind text that streams for 10 s, with textInterval ${textInterval}: ${spread(behind)}, ${behind.length} looks`,
      );
      await Promise.all([writer.close(), reader.close()]);
    }

    const page = await open(0, 'user-0');
    const list = await page.evaluate(() => globalThis.device.timeList(1_000));
    console.log(
      `a new device has the rows of 1,000 sessions after ${Math.round(list.rows)} ms, their logs after ${Math.round(list.logs)} ms`,
    );
    const writes = await page.evaluate(() => globalThis.device.timeWrites(500));
    console.log(`a write to IndexedDB alone: ${spread(writes.local)}; with the replica: ${spread(writes.replica)}`);
  } finally {
    await operator.close();
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}

/**
 * Kills the browser of a device while its answer streams, and waits until another device shows the run as interrupted: a person is asked
 * whether it goes on.
 *
 * @param {Awaited<ReturnType<typeof startServer>>} server @param {Awaited<ReturnType<typeof servePage>>} site
 */
async function measureDeaths(server, site) {
  const operator = await server.connect();
  const survivor = await chromium.launch(launching);
  const times = [];
  try {
    for (let nth = 0; nth < deaths; nth++) {
      const user = `death-${nth}`;
      await api(operator, `STREAM.CREATE.BROOKLET_${user}`, toStreamConfig({ user }));
      const process = await chromium.launchServer(launching);
      try {
        const mortal = await chromium.connect(process.wsEndpoint());
        /** @param {import('playwright').Browser} browser @param {string} device */
        const open = async (browser, device) => {
          const page = await browser.newPage();
          await page.goto(site.url);
          const its = { url: server.webSocketUrl, serverName: server.name, user, device };
          await page.evaluate((begin) => globalThis.device.begin(begin), its);
          return page;
        };
        const [writer, reader] = [await open(mortal, 'mortal'), await open(survivor, 'survivor')];
        const id = await writer.evaluate(() => globalThis.device.create());
        await writer.evaluate((its) => globalThis.device.open(its), id);
        await writer.evaluate((its) => globalThis.device.send(its, 'Write'), id);
        await reader.evaluate(() => globalThis.device.timeList(1));
        await reader.evaluate((its) => globalThis.device.open(its), id);
        await reader.waitForFunction((its) => (globalThis.device.seen(its).at(-1)?.[1] ?? 0) > 100, id);
        // At different moments between two writes and two looks at the lease.
        await new Promise((resolve) => setTimeout(resolve, 150 * nth));
        const noticed = reader.evaluate(
          (its) =>
            new Promise((resolve) => {
              const look = () =>
                globalThis.device.view(its).status === 'interrupted' ? resolve(Date.now()) : setTimeout(look, 10);
              look();
            }),
          id,
        );
        const begin = Date.now();
        await process.kill();
        times.push((await noticed) - begin);
        await reader.close();
      } finally {
        await process.kill();
      }
    }
    const sorted = times.map((time) => time / 1_000).toSorted((a, b) => a - b);
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
    console.log(
      `the browser of a device is killed while its answer streams: another device asks after ${at(sorted, 0.5).toFixed(1)} s (median of ${deaths}; ${first.toFixed(1)} to ${last.toFixed(1)} s)`,
    );
  } finally {
    await operator.close();
    await survivor.close();
  }
}

const server = await startServer();
try {
  if (!options.deaths) await measureServer(server);
  if (!options.server) {
    const site = await servePage();
    try {
      if (!options.deaths) await measurePages(server, site);
      await measureDeaths(server, site);
    } finally {
      await site.stop();
    }
  }
} finally {
  await server.stop();
}
