import {
  AgentError,
  createAgent,
  extractTextContent,
  type LLMChunk,
  type LLMClient,
  type SessionStore,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { from } from 'rxjs';
import { expect, test } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';
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
