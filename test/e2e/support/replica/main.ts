import { wsconnect } from '@nats-io/nats-core';
import { type AgentSession, createAgent, defineTool, extractTextContent, toolParts } from 'brooklet';
import { eventVersion, type SessionEvent, type SessionStore } from 'brooklet/core';
import { createNatsStore } from 'brooklet/nats';
import { createRemote, createSyncedStore, type SyncedStore } from 'brooklet/sync';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply, type Script, storeContract } from 'brooklet/testing';
import { filter, firstValueFrom } from 'rxjs';
import type { Device, DeviceOptions } from './device.ts';
import type { Outcome } from '../nats/outcome.ts';

declare global {
  /** Creates the stream of a user. The test does so: a page has no right to. */
  function addStream(user: string): Promise<void>;
  function removeStream(user: string): Promise<void>;
  /** Runs the contract over replicas of IndexedDB and a store over WebSocket. */
  var runReplicaContract: (url: string, serverName: string) => Promise<readonly Outcome[]>;
  var device: Device;
}

async function connect(url: string, serverName: string) {
  const connection = await wsconnect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 250 });
  if (connection.info?.server_name !== serverName)
    throw new Error(`This is another server: ${connection.info?.server_name}.`);
  return connection;
}

globalThis.runReplicaContract = async (url, serverName) => {
  const connection = await connect(url, serverName);
  const streams = new Set<string>();
  const behaviours = storeContract(
    async (user) => {
      if (!streams.has(user)) await addStream(user);
      streams.add(user);
      return createSyncedStore({
        local: createIndexedDBStore({ name: user }),
        remote: createRemote(createNatsStore({ connection, user })),
        device: 'phone',
      });
    },
    {
      async dispose(user) {
        indexedDB.deleteDatabase(user);
        await removeStream(user);
      },
    },
  );
  const outcomes: Outcome[] = [];
  for (const { name, run } of behaviours) {
    const problem = await run().then(() => {}, String);
    outcomes.push({ name, ...(problem !== undefined && { problem }) });
  }
  await connection.close();
  return outcomes;
};

/** Answers by the last message: a long text, a call that awaits approval, or one sentence. On the phone the text ends in some seconds. */
function answerTo(text: string, hasResult: boolean, device: string): Script {
  if (hasResult) return [reply.text('Paid.')];
  if (text === 'Write on') return [reply.text('word '.repeat(device === 'phone' ? 40 : 40_000), { ms: 25 })];
  if (text === 'Pay') return [reply.call('pay')];
  if (text === 'Write') return [reply.text('word '.repeat(400), { ms: 25 })];
  return [reply.text(`You said: ${text}`)];
}

const sessions = new Map<string, AgentSession>();
const seen = new Map<string, [number, number][]>();
let store: SyncedStore;
let agent: ReturnType<typeof createAgent>;

const textsOf = (session: AgentSession): readonly string[] =>
  session.getMessages().map((message) => `${message.role}: ${extractTextContent(message)}`);

function sessionOf(id: string): AgentSession {
  const session = sessions.get(id);
  if (session === undefined) throw new Error(`Session ${id} is not open.`);
  return session;
}

const pendingOf = (session: AgentSession): string | undefined =>
  session
    .getMessages()
    .flatMap(toolParts)
    .find(({ status }) => status === 'awaiting-approval')?.callId;

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Returns a function that writes the next event to a session of its own, and resolves with the ms that this took. */
function createTimedWriter(to: SessionStore): () => Promise<number> {
  const id = crypto.randomUUID();
  const usage = { input: 0, output: 0 };
  let seq = 0;
  return async () => {
    const place = { seq: ++seq, at: seq, v: eventVersion } as const;
    const event: SessionEvent =
      seq === 1
        ? { type: 'session.started', sessionId: id, ...place }
        : { type: 'session.renamed', title: `Title ${seq}`, ...place };
    const summary = {
      id,
      title: '',
      createdAt: 1,
      updatedAt: seq,
      status: 'idle',
      messageCount: 0,
      usage,
      seq,
    } as const;
    const begin = performance.now();
    await to.write({ sessionId: id, events: [event], summary, expectedSeq: seq - 1, durability: 'relaxed' });
    return performance.now() - begin;
  };
}

globalThis.device = {
  forks: [],
  ran: [],
  async begin({ url, serverName, user, device: name, textInterval }: DeviceOptions) {
    const connection = await connect(url, serverName);
    store = createSyncedStore({
      local: createIndexedDBStore({ name: user }),
      remote: createRemote(createNatsStore({ connection, user, timeout: 2_000 })),
      device: name,
      ...(textInterval !== undefined && { textInterval }),
      onFork: (fork) => void device.forks.push(fork),
    });
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      needsApproval: true,
      async execute(_input, { callId }) {
        device.ran.push(callId);
        return 'paid';
      },
    });
    const client = createScriptedClient(({ messages }) => {
      const last = messages.findLast(({ role }) => role === 'user');
      return answerTo(last ? extractTextContent(last) : '', messages.at(-1) !== last, name);
    });
    agent = createAgent({ client, tools: [pay], store });
  },
  create: () => agent.createSession(),
  async open(id) {
    const session = await agent.openSession(id);
    sessions.set(id, session);
    const noted: [number, number][] = [];
    seen.set(id, noted);
    session.messages$.subscribe(() => {
      const { length } = textsOf(session).at(-1) ?? '';
      if (length > (noted.at(-1)?.[1] ?? 0)) noted.push([Date.now(), length]);
    });
  },
  async send(id, text) {
    void sessionOf(id).send(text);
  },
  approve: (id) => sessionOf(id).approve(pendingOf(sessionOf(id)) ?? ''),
  async resume(id) {
    void sessionOf(id).resume();
  },
  view(id) {
    const session = sessionOf(id);
    const pending = pendingOf(session);
    return { status: session.getStatus(), messages: textsOf(session), ...(pending !== undefined && { pending }) };
  },
  seen: (id) => seen.get(id) ?? [],
  list: async () => (await store.list()).sessions.map(({ id, title }) => [id, title]),
  sync: () => store.sync(),
  syncOf: (id) => firstValueFrom(store.sessionSync$(id)),
  getStatus: () => store.getStatus(),
  async timeList(count) {
    const begin = performance.now();
    while ((await store.list({ limit: count })).sessions.length < count) await nextTask();
    const rows = performance.now() - begin;
    await firstValueFrom(store.status$.pipe(filter(({ state }) => state === 'in-step')));
    return { rows, logs: performance.now() - begin };
  },
  async timeWrites(count) {
    const alone = createIndexedDBStore({ name: 'alone' });
    const [writeAlone, writeToReplica] = [createTimedWriter(alone), createTimedWriter(store)];
    const [local, replica]: [number[], number[]] = [[], []];
    // In turns: both meet the same load of the machine.
    for (let nth = 0; nth < count; nth++) {
      local.push(await writeAlone());
      replica.push(await writeToReplica());
    }
    alone.close();
    return { local, replica };
  },
};
