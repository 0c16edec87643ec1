import { createAgent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test, vi } from 'vitest';

vi.mock('../../../src/core/context/context.ts', () => ({
  createContext: () => {
    throw new Error('Failed to fetch dynamically imported module');
  },
}));

const client = createScriptedClient([reply.text('Yes.')]);

test('if the code that counts cannot be loaded, a run that needs it fails before a request is sent, and reports the error', async () => {
  const agent = createAgent({ client, contextWindow: 1_000 });
  // The agent loads it as well. Of two imports at the same time, Vitest mocks one.
  await vi.dynamicImportSettled();
  const session = agent.getSession(agent.createSession());
  const result = await session?.send('Hello');
  expect(result).toMatchObject({ outcome: 'failed', error: { code: 'MODULE_UNAVAILABLE', retryable: false } });
  expect(client.requests).toHaveLength(0);
  const told = await new Promise((resolve) => session?.context$.subscribe({ error: resolve }));
  expect(told).toMatchObject({ code: 'MODULE_UNAVAILABLE' });
});

test('an agent without a window does not load that code', async () => {
  const agent = createAgent({ client });
  const session = agent.getSession(agent.createSession());
  expect((await session?.send('Hello'))?.outcome).toBe('completed');
});
