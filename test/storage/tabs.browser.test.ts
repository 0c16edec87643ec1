import {
  type AgentSession,
  createAgent,
  defineTool,
  extractTextContent,
  type SessionStore,
  type Tool,
  toolParts,
} from 'brooklet';
import type { SessionState } from 'brooklet/core';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply, type ScriptedClient } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { filter, firstValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { addPage } from './frame.ts';

// Each tab has its own store, and so its own connection, channel and locks: the browser treats them as tabs.

let name: string;
const stores: SessionStore[] = [];

beforeEach(() => {
  name = `tabs-${crypto.randomUUID()}`;
});

afterEach(async () => {
  for (const store of stores.splice(0)) store.close();
  await deleteDB(name);
});

type Scripts = Parameters<typeof createScriptedClient>[0];

function openTab(script: Scripts, tools: readonly Tool[] = []) {
  const store = createIndexedDBStore({ name });
  stores.push(store);
  const client = createScriptedClient(script);
  return { client, agent: createAgent({ client, store, tools }) };
}

interface TwoTabs {
  readonly id: string;
  readonly a: AgentSession;
  readonly b: AgentSession;
  readonly clientOfA: ScriptedClient;
  readonly clientOfB: ScriptedClient;
}

/** One session, open in two tabs. */
async function twoTabs(scriptOfA: Scripts, scriptOfB: Scripts, tools: readonly Tool[] = []): Promise<TwoTabs> {
  const [one, other] = [openTab(scriptOfA, tools), openTab(scriptOfB, tools)];
  const id = one.agent.createSession();
  const a = await one.agent.openSession(id);
  await a.flushed();
  return { id, a, b: await other.agent.openSession(id), clientOfA: one.client, clientOfB: other.client };
}

const texts = ({ messages }: SessionState): string[] => messages.map((message) => extractTextContent(message));

/** Resolves with the first state that matches, from the present one on. */
const until = (session: AgentSession, fits: (state: SessionState) => boolean): Promise<SessionState> =>
  firstValueFrom(session.state$.pipe(filter(fits)));

const untilSaid = (session: AgentSession, ...expected: readonly string[]): Promise<SessionState> =>
  until(session, (state) => JSON.stringify(texts(state)) === JSON.stringify(expected));

const untilEnded = (session: AgentSession, outcome: string): Promise<SessionState> =>
  until(session, ({ run }) => run?.outcome === outcome);

/** Waits until both tabs have the same state. */
async function untilSame(a: AgentSession, b: AgentSession): Promise<void> {
  const { seq } = a.getState();
  await until(b, (state) => state.seq >= seq);
  expect(b.getState()).toEqual(a.getState());
}

function gatedTool() {
  const ran: string[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: (_input, { callId }) => (ran.push(callId), 'paid'),
  });
  const callIn = ({ messages }: SessionState): string => messages.flatMap(toolParts)[0]?.callId ?? '';
  return { ran, pay, callIn };
}

describe('two tabs on one IndexedDB session', () => {
  test('follow a run of one of them live', async () => {
    const rest = createGate();
    const { a, b } = await twoTabs([reply.text('Hi'), reply.until(rest.opened), reply.text(' there.')], []);
    const sent = a.send('Hello');
    await untilSaid(b, 'Hello', 'Hi');
    expect(b.getStatus()).toBe('running');
    rest.open();
    await Promise.all([sent, untilEnded(b, 'completed')]);
    await untilSame(a, b);
    expect(texts(b.getState())).toEqual(['Hello', 'Hi there.']);
  });

  test('keep both messages that are sent at once, and run one after the other', async () => {
    const { a, b, clientOfA, clientOfB } = await twoTabs([reply.text('re: a')], [reply.text('re: b')]);
    const results = await Promise.all([a.send('from a'), b.send('from b')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    const isAll = ({ messages, run }: SessionState): boolean => messages.length === 4 && run?.outcome === 'completed';
    await Promise.all([until(a, isAll), until(b, isAll)]);
    expect(b.getMessages()).toEqual(a.getMessages());
    expect(texts(a.getState()).toSorted()).toEqual(['from a', 'from b', 're: a', 're: b']);
    expect([clientOfA.requests.length, clientOfB.requests.length]).toEqual([1, 1]);
  });

  test('cancel a run of the other one, whose request is aborted', async () => {
    const never = createGate();
    const { a, b, clientOfA } = await twoTabs([reply.text('Half'), reply.until(never.opened)], []);
    const sent = a.send('Hello');
    await untilSaid(b, 'Hello', 'Half');
    b.cancel();
    expect((await sent).outcome).toBe('cancelled');
    expect([clientOfA.open, clientOfA.aborted]).toEqual([0, 1]);
    await Promise.all([untilEnded(a, 'cancelled'), untilEnded(b, 'cancelled')]);
    expect(b.getMessages()).toEqual(a.getMessages());
  });

  test('approve a call of the other one, which runs once, and both continue', async () => {
    const { ran, pay, callIn } = gatedTool();
    const script: Scripts = (request) =>
      JSON.stringify(request.messages).includes('paid') ? [reply.text('Bought.')] : [reply.call('pay')];
    const { a, b } = await twoTabs(script, script, [pay]);
    const sent = a.send('Buy');
    await firstValueFrom(b.status$.pipe(filter((status) => status === 'waiting')));
    await b.approve(callIn(b.getState()));
    expect((await sent).outcome).toBe('completed');
    expect(ran).toEqual([callIn(a.getState())]);
    await untilEnded(b, 'completed');
    await untilSame(b, a);
  });

  test('decide at once: one decision counts, the other one rejects', async () => {
    const { ran, pay, callIn } = gatedTool();
    const script: Scripts = [reply.call('pay')];
    const { a, b } = await twoTabs(script, script, [pay]);
    void a.send('Buy');
    await firstValueFrom(b.status$.pipe(filter((status) => status === 'waiting')));
    const callId = callIn(b.getState());
    const decided = await Promise.allSettled([
      a.reject(callId, { reason: 'No.' }),
      b.reject(callId, { reason: 'Never.' }),
    ]);
    const lost = decided.filter(({ status }) => status === 'rejected');
    expect(lost).toEqual([{ status: 'rejected', reason: expect.objectContaining({ code: 'CALL_NOT_PENDING' }) }]);
    expect(ran).toEqual([]);
    a.cancel();
    b.cancel();
  });

  test('take over from each other: the other one stops, and follows the session', async () => {
    const never = createGate();
    const { a, b, clientOfA } = await twoTabs([reply.text('Half'), reply.until(never.opened)], [reply.text(' done.')]);
    const sent = a.send('Hello');
    await untilSaid(b, 'Hello', 'Half');
    await b.takeOver();
    expect((await sent).outcome).toBe('interrupted');
    expect(clientOfA.aborted).toBe(1);
    expect(b.getStatus()).toBe('interrupted');
    expect((await b.resume()).outcome).toBe('completed');
    await untilEnded(a, 'completed');
    await untilSame(b, a);
  });
});

describe('a tab that is unloaded while it runs a session', () => {
  /** Adds a page that sends a message and receives half an answer. */
  function openOwner(id: string): HTMLIFrameElement {
    const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    return addPage(`
      import { createAgent } from ${url('../../src/index.ts')};
      import { createIndexedDBStore } from ${url('../../src/storage/index.ts')};
      import { createScriptedClient, reply } from ${url('../../src/testing/index.ts')};
      const client = createScriptedClient([reply.text('Half'), reply.until(new Promise(() => {}))]);
      const agent = createAgent({ client, store: createIndexedDBStore({ name: ${JSON.stringify(name)} }) });
      const session = await agent.openSession(${JSON.stringify(id)});
      void session.send('Hello');`);
  }

  test.each([
    ['is closed', (frame: HTMLIFrameElement) => frame.remove()],
    ['navigates away', (frame: HTMLIFrameElement) => frame.contentWindow?.location.replace('about:blank')],
  ])('and %s leaves an interrupted run, which another tab can resume', async (_how, leave) => {
    const { agent } = openTab([reply.text(' done.')]);
    const session = await agent.openSession(agent.createSession());
    await session.flushed();
    const frame = openOwner(session.id);
    await untilSaid(session, 'Hello', 'Half');
    expect(session.getStatus()).toBe('running');
    expect(() => session.send('Me too')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));

    leave(frame);
    await untilEnded(session, 'interrupted');
    expect((await session.resume()).outcome).toBe('completed');
    frame.remove();
  });

  test('leaves the session to exactly one of several others', async () => {
    const tabs = [openTab([reply.text(' b')]), openTab([reply.text(' c')])] as const;
    const id = tabs[0].agent.createSession();
    const first = await tabs[0].agent.openSession(id);
    await first.flushed();
    const second = await tabs[1].agent.openSession(id);
    const frame = openOwner(id);
    await Promise.all([untilSaid(first, 'Hello', 'Half'), untilSaid(second, 'Hello', 'Half')]);
    frame.remove();
    await Promise.all([untilEnded(first, 'interrupted'), untilEnded(second, 'interrupted')]);
    await Promise.all([first.flushed(), second.flushed()]);
    expect(second.getMessages()).toEqual(first.getMessages());
    const stored = await stores[0]?.read(id);
    expect(stored?.events.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  });
});

test('a page that is being unloaded announces a write as it begins', async () => {
  const store = createIndexedDBStore({ name });
  stores.push(store);
  const posted: unknown[] = [];
  const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation((data) => void posted.push(data));
  try {
    const head = { id: 's', title: '', createdAt: 1, updatedAt: 1, status: 'idle', messageCount: 0 } as const;
    const write = (seq: number): Promise<void> =>
      store.write({
        sessionId: 's',
        events: [{ type: 'session.renamed', title: 'x', seq, at: 1, v: 2 }],
        summary: { ...head, usage: { input: 0, output: 0 }, seq },
        expectedSeq: seq - 1,
        durability: 'relaxed',
      });
    await write(1);
    expect(posted).toEqual(['s']);
    const second = write(2);
    expect(posted).toEqual(['s']);
    await second;
    dispatchEvent(new Event('pagehide'));
    const last = write(3);
    expect(posted).toEqual(['s', 's', 's']);
    await last;
    dispatchEvent(new Event('pageshow'));
    const next = write(4);
    expect(posted).toHaveLength(4);
    await next;
  } finally {
    post.mockRestore();
  }
});
