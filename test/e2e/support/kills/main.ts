import {
  type Agent,
  type AgentSession,
  createAgent,
  createChatCompletionsClient,
  defineTool,
  extractTextContent,
  type SessionStatus,
  type SessionStore,
  toolParts,
} from 'brooklet';
import { createAesCodec, type StoreCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import type { Plan, Report, Return, Victim } from './plan.ts';

declare global {
  /**
   * Sends a report to the test, which has received it when the promise resolves: the next action of the page may be its
   * last.
   */
  function report(what: Report): Promise<void>;
  var victim: Victim;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'HKDF', false, ['deriveKey']);
const codec: StoreCodec = createAesCodec(key);

const isEncrypted = new URLSearchParams(location.search).has('encrypted');
const store = createIndexedDBStore(isEncrypted ? { codec } : {});
const told: SessionStore = {
  ...store,
  async write(write) {
    await store.write(write);
    void report({ type: 'stored', sessionId: write.sessionId, write: JSON.stringify(write) });
  },
};

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database failed.')));
  });
}

/** A database of the tools: their effects are counted apart from the sessions. */
async function openWorld(): Promise<IDBDatabase> {
  const opening = indexedDB.open('world', 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('effects', { autoIncrement: true }));
  return settled(opening);
}

async function act(idempotencyKey: string): Promise<void> {
  void report({ type: 'acts', idempotencyKey });
  const world = await openWorld();
  const transaction = world.transaction('effects', 'readwrite', { durability: 'strict' });
  transaction.objectStore('effects').add(idempotencyKey);
  await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  world.close();
}

function agentFor({ baseURL, toolTakes }: Plan): Agent {
  const tool = (name: string, needsApproval: boolean) =>
    defineTool({
      name,
      description: name,
      input: { type: 'object' },
      needsApproval,
      async execute(_input, { idempotencyKey }) {
        await act(idempotencyKey);
        await sleep(toolTakes);
        return 'done';
      },
    });
  return createAgent({
    client: createChatCompletionsClient({ baseURL, apiKey: 'none', model: 'm' }),
    store: told,
    tools: [tool('look', false), tool('pay', true)],
    maxSteps: 1_000,
  });
}

/** Decides all pending calls; rejects every third one. */
async function decide(session: AgentSession, thinks: readonly number[]): Promise<void> {
  for (let nth = 0; ; nth++) {
    await until(session, (status) => status === 'waiting');
    await sleep(thinks[nth % thinks.length] ?? 0);
    const held = session
      .getMessages()
      .flatMap(toolParts)
      .find(({ status }) => status === 'awaiting-approval');
    if (held) await (nth % 3 === 2 ? session.reject(held.callId) : session.approve(held.callId));
  }
}

function until(session: AgentSession, fits: (status: SessionStatus) => boolean): Promise<SessionStatus> {
  return new Promise((resolve) => {
    const subscription = session.status$.subscribe((status) => {
      if (!fits(status)) return;
      resolve(status);
      queueMicrotask(() => subscription.unsubscribe());
    });
  });
}

const sessions = new Map<string, AgentSession>();

globalThis.victim = {
  begin(plan) {
    const agent = agentFor(plan);
    const id = agent.createSession();
    const session = agent.getSession(id);
    if (session === undefined) throw new Error('A session that was made is not there.');
    sessions.set(id, session);
    // After the session's own listener, which has appended its last event by then.
    addEventListener('pagehide', () => localStorage.setItem(id, victim.received(id)));
    void session.send(plan.question);
    void decide(session, plan.thinks);
    return id;
  },
  find: (sessionId) => store.read(sessionId),
  async comeBack(sessionId, plan, by): Promise<Return> {
    const session = await agentFor(plan).openSession(sessionId);
    const found = await until(session, (status) => status !== 'running');
    void decide(session, [0]);
    if (found !== 'waiting') void (by === 'resume' && found !== 'idle' ? session.resume() : session.send('And then?'));
    const end = until(session, (status) => status !== 'running' && status !== 'waiting');
    await Promise.race([end, sleep(20_000)]);
    const { outcome } = session.getState().run ?? {};
    await Promise.race([session.flushed(), sleep(5_000)]);
    return { found, outcome, messageIds: session.getMessages().map(({ id }) => id) };
  },
  async effects() {
    const world = await openWorld();
    const keys: readonly unknown[] = await settled(world.transaction('effects').objectStore('effects').getAll());
    world.close();
    return keys.map(String);
  },
  async list() {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
      ids.push(...page.sessions.map(({ id }) => id));
      ({ cursor } = page);
    } while (cursor !== undefined);
    return ids;
  },
  received(sessionId) {
    const last = sessions.get(sessionId)?.getMessages().at(-1);
    return last?.role === 'assistant' ? extractTextContent(last) : '';
  },
};
