import {
  AgentError,
  createAgent,
  defineTool,
  extractTextContent,
  type LLMChunk,
  type LLMClient,
  type SessionStore,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { from } from 'rxjs';
import { expect, test } from 'vitest';
import { call, createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';

/** A client that passes a value in a part which JSON cannot represent. */
function spoiledBy(data: unknown): LLMClient {
  const part = { type: 'provider', name: 'x', data };
  const chunks: readonly LLMChunk[] = [
    { type: 'text', text: 'Hello' },
    // A custom client in plain JavaScript.
    { type: 'part', part } as LLMChunk,
    { type: 'text', text: ' again' },
    { type: 'finish', reason: 'stop' },
  ];
  return { sendRequest: () => from(chunks) };
}

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

test.each([
  ['a cycle', cycle],
  ['a BigInt', 1n],
  ['a function', () => 1],
  ['a promise', Promise.resolve()],
])('%s in the answer of a client does not hold up the rest of the session', async (_what, data) => {
  const store = createMemoryStore();
  const agent = createAgent({ client: spoiledBy(data), store, ports: createManualPorts('tab') });
  const session = await agent.openSession(agent.createSession());
  expect(await session.send('Hi')).toMatchObject({ outcome: 'interrupted', error: { code: 'STREAM_MALFORMED' } });
  session.rename('after');
  await session.flushed();
  expect(session.getStorage()).toEqual({ state: 'saved' });
  const stored = await store.read(session.id);
  expect(stored?.events.map(({ seq }) => seq)).toEqual(stored?.events.map((_event, index) => index + 1));
  const later = await createAgent({ client: createManualClient(), store }).openSession(session.id);
  expect(later.getMessages().map((message) => extractTextContent(message))).toEqual(['Hi', 'Hello']);
  expect(later.getState().title).toBe('after');
});

test('a store that rejects every write is not asked without a pause', async () => {
  let writes = 0;
  const memory = createMemoryStore();
  const store: SessionStore = {
    ...memory,
    write() {
      writes++;
      return Promise.reject(new AgentError('no', { code: 'STORAGE_REJECTED' }));
    },
  };
  const agent = createAgent({ client: createManualClient(), store, ports: createManualPorts('tab') });
  const session = await agent.openSession(agent.createSession());
  session.rename('x');
  for (let round = 0; round < 10; round++) await settled();
  expect(session.getStorage()).toMatchObject({ state: 'failed', error: { code: 'STORAGE_REJECTED' } });
  expect(writes).toBeLessThan(5);
});

/** A store that refuses for good each write whose events have this word. */
function refusing(word: string, refuse: () => unknown) {
  const memory = createMemoryStore();
  let writes = 0;
  const store: SessionStore = {
    ...memory,
    async write(write) {
      writes++;
      if (JSON.stringify(write.events).includes(word)) throw refuse();
      return memory.write(write);
    },
  };
  return { store, getWrites: () => writes };
}

test.each([
  ['STORAGE_REJECTED', () => new AgentError('413', { code: 'STORAGE_REJECTED' })],
  ['an error with the status 413', () => Object.assign(new Error('Payload Too Large'), { status: 413 })],
  ['an AgentError with the status 413', () => new AgentError('Too large', { code: 'STORAGE_FAILED', status: 413 })],
  ['a DataCloneError', () => new DOMException('no clone', 'DataCloneError')],
  ['a RangeError', () => new RangeError('Invalid string length')],
])(
  'a message that a store refuses for good by %s becomes a marker, and everything else is stored',
  async (_name, refuse) => {
    const { store, getWrites } = refusing('poison', refuse);
    const client = createManualClient();
    const agent = createAgent({ client, store, ports: createManualPorts('tab') });
    const session = await agent.openSession(agent.createSession());
    const said = ['one', 'two', 'a poison', 'three', 'four', 'a poison again', 'five'];
    for (const content of said) session.addMessage({ role: 'user', content });
    session.rename('after');
    for (let round = 0; round < 20; round++) await settled();
    await session.flushed();
    expect(session.getStorage()).toEqual({ state: 'saved' });
    const stored = await store.read(session.id);
    expect(stored?.events.map(({ seq }) => seq)).toEqual(stored?.events.map((_event, index) => index + 1));
    expect(stored?.events.filter(({ type }) => type === 'event.dropped')).toMatchObject([
      { of: 'message.added', seq: 4 },
      { of: 'message.added', seq: 7 },
    ]);
    expect(stored?.summary).toMatchObject({ seq: 9, title: 'after' });
    expect(getWrites()).toBeLessThan(25);
    expect(session.getMessages()).toHaveLength(7);
    const later = await createAgent({ client, store }).openSession(session.id);
    expect(later.getMessages().map((message) => extractTextContent(message))).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ]);
    session.addMessage({ role: 'user', content: 'six' });
    await session.flushed();
    expect((await store.read(session.id))?.events.at(-1)).toMatchObject({ type: 'message.added', seq: 10 });
  },
);

test('the start of a call that a store refuses for good is no marker: the tool does not run', async () => {
  const { store } = refusing('call.started', () => new AgentError('no', { code: 'STORAGE_REJECTED' }));
  let runs = 0;
  const tool = defineTool({ name: 'pay', description: 'P', input: { type: 'object' }, execute: () => void runs++ });
  const client = createManualClient();
  const agent = createAgent({ client, store, tools: [tool], ports: createManualPorts('tab') });
  const session = await agent.openSession(agent.createSession());
  void session.send('Go');
  await settled();
  call(client.last(), ['pay', '{}']);
  for (let round = 0; round < 20; round++) await settled();
  expect(runs).toBe(0);
  expect((await store.read(session.id))?.events.some(({ type }) => type === 'event.dropped')).toBe(false);
});
