import { type Agent, createAgent, defineTool, type SessionStore } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import type { Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../../support/manual-client.ts';
import { createManualPorts } from '../../support/ports.ts';
import { until } from '../../support/until.ts';

const ask = defineTool({
  name: 'ask',
  description: 'Waits for a person.',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'done',
});

async function stage(store: SessionStore | undefined = createMemoryStore()) {
  const [client, ports] = [createManualClient(), createManualPorts()];
  const agent = createAgent({ client, ports, tools: [ask], idleTimeout: 1_000, ...(store && { store }) });
  const id = agent.createSession();
  // The code that watches idle sessions is loaded on demand.
  await until(() => expect(ports.awaited()).toBeGreaterThan(0));
  await settled();
  return { agent, client, ports, id };
}

/** Advances the time beyond the timeout. */
async function longAfter({ ports }: { readonly ports: ReturnType<typeof createManualPorts> }): Promise<void> {
  for (let second = 0; second < 4; second++) {
    ports.pass(1_000);
    await settled();
  }
}

const isInMemory = (agent: Agent, id: string): boolean => agent.getSession(id) !== undefined;

describe('an idle session', () => {
  test('is removed from memory after the timeout, not before, and is restored unchanged', async () => {
    const { agent, ports, id } = await stage();
    agent.getSession(id)?.addMessage({ role: 'user', content: 'Hello' });
    await settled();
    const before = agent.getSession(id)?.getState();
    ports.pass(1_000);
    await settled();
    expect(isInMemory(agent, id)).toBe(true);
    ports.pass(1_000);
    await settled();
    expect(isInMemory(agent, id)).toBe(false);
    expect((await agent.openSession(id)).getState()).toEqual(before);
  });

  test('stays in memory while it changes', async () => {
    const { agent, ports, id } = await stage();
    for (let second = 0; second < 5; second++) {
      agent.getSession(id)?.rename(`Name ${second}`);
      await settled();
      ports.pass(1_000);
      await settled();
    }
    expect(isInMemory(agent, id)).toBe(true);
  });

  test.each(['messages$', 'status$', 'state$', 'storage$', 'events$'] as const)(
    'stays in memory with a subscriber to %s',
    async (stream) => {
      const stages = await stage();
      const values$: Observable<unknown> | undefined = stages.agent.getSession(stages.id)?.[stream];
      const subscription = values$?.subscribe();
      await longAfter(stages);
      expect(isInMemory(stages.agent, stages.id)).toBe(true);
      subscription?.unsubscribe();
      await longAfter(stages);
      expect(isInMemory(stages.agent, stages.id)).toBe(false);
    },
  );

  test('stays in memory during a run, and while the run awaits approval', async () => {
    const stages = await stage();
    const { agent, client, id } = stages;
    const sent = agent.getSession(id)?.send('Hello');
    await settled();
    await longAfter(stages);
    expect(isInMemory(agent, id)).toBe(true);
    call(client.last(), ['ask', '{}']);
    await settled();
    await longAfter(stages);
    expect(agent.getSession(id)?.getStatus()).toBe('waiting');
    const [part] = agent.getSession(id)?.getMessages().at(-1)?.content ?? [];
    await agent.getSession(id)?.approve(part?.type === 'tool' ? part.callId : '');
    await settled();
    say(client.last(), 'Done.');
    await sent;
    await longAfter(stages);
    expect(isInMemory(agent, id)).toBe(false);
  });

  test('stays in memory until the store has accepted its events', async () => {
    const store = createMemoryStore();
    const stages = await stage({ ...store, write: () => Promise.reject(new Error('full')) });
    await longAfter(stages);
    expect(isInMemory(stages.agent, stages.id)).toBe(true);
  });

  test('rejects writes through a reference to the removed session', async () => {
    const stages = await stage();
    const session = stages.agent.getSession(stages.id);
    await longAfter(stages);
    expect(() => session?.rename('x')).toThrow(/Open it again/);
    expect(await stages.agent.store?.read(stages.id)).toMatchObject({ summary: { title: '' } });
  });
});
