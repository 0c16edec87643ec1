import { createAgent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { keepConversations } from '../../demo/src/sessions/keepConversations.ts';
import { settled } from '../support/manual-client.ts';

afterEach(() => vi.unstubAllGlobals());

const permissions: Readonly<Record<string, () => Promise<{ readonly state: string }>>> = {
  'knows no such permission': () => Promise.reject(new TypeError('persistent-storage')),
  'has granted it': async () => ({ state: 'granted' }),
  'would ask the person': async () => ({ state: 'prompt' }),
};

it.each([
  ['knows no such permission', 1],
  ['has granted it', 1],
  ['would ask the person', 0],
] as const)('a browser that %s is asked %i times, after the first complete answer', async (kind, times) => {
  vi.stubGlobal('navigator', { permissions: { query: permissions[kind] } });
  const keep = vi.fn<() => Promise<unknown>>().mockResolvedValue(true);
  const client = createScriptedClient([
    [reply.fail('OVERLOADED', 'Busy.')],
    [reply.text('One.')],
    [reply.text('Two.')],
  ]);
  const agent = createAgent({ client });
  keepConversations(agent, keep);
  const session = await agent.openSession(agent.createSession());
  await session.send('Hi');
  await settled();
  expect(keep).not.toHaveBeenCalled();
  for (const text of ['Hi', 'again']) await session.send(text);
  await settled();
  expect(keep).toHaveBeenCalledTimes(times);
});
