import { expect, test, vi } from 'vitest';
import { createManualClient, say, settled } from '../../support/manual-client.ts';
import { until } from '../../support/until.ts';

/** An agent in modules of their own, which have not loaded the code of `chat`. */
async function stage() {
  vi.resetModules();
  const { createAgent } = await import('../../../src/core/agent/create-agent.ts');
  const { chatCode } = await import('../../../src/core/session/load-chat.ts');
  const client = createManualClient();
  const agent = createAgent({ client });
  const sessionId = agent.createSession();
  expect(chatCode.get()).toBeUndefined();
  return { agent, sessionId, client, loaded: async () => (await chatCode.load(), settled()) };
}

test('a chat whose code is not loaded begins one run for all its subscribers when it is', async () => {
  const { agent, sessionId, client, loaded } = await stage();
  const outcomes: unknown[] = [];
  const output$ = agent.chat(sessionId, 'Hello', { stream: false });
  for (const name of ['one', 'two']) output$.subscribe(({ outcome }) => outcomes.push([name, outcome]));
  await loaded();
  await until(() => expect(client.asked).toHaveLength(1));
  say(client.last(), 'Hi');
  await until(() =>
    expect(outcomes).toEqual([
      ['one', 'completed'],
      ['two', 'completed'],
    ]),
  );
  expect(agent.getSession(sessionId)?.getMessages()).toHaveLength(2);
});

test('a chat that is left before its code is loaded begins no run', async () => {
  const { agent, sessionId, client, loaded } = await stage();
  agent.chat(sessionId, 'Hello').subscribe().unsubscribe();
  await loaded();
  expect([client.asked.length, agent.getSession(sessionId)?.getMessages()]).toEqual([0, []]);
});
