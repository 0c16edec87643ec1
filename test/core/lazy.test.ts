import { AgentError, createAgent, defineTool } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { lazy } from '../../src/core/lazy.ts';
import type * as Decisions from '../../src/core/session/decisions.ts';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { callIdOf, callsOf } from '../support/stage.ts';

/** Whether the network is available for the code that decides calls. */
const network = vi.hoisted(() => ({ isThere: true }));

vi.mock('../../src/core/session/decisions.ts', async (load) => {
  const real = await load<typeof Decisions>();
  return {
    ...real,
    get createDecisions() {
      if (!network.isThere)
        throw new TypeError('Failed to fetch dynamically imported module: /assets/decisions-4f2a.js');
      return real.createDecisions;
    },
  };
});

beforeEach(() => {
  network.isThere = true;
});

describe('a part that is loaded on first use', () => {
  test('is loaded once for all callers, and not before the first use', async () => {
    const load = vi.fn<() => Promise<object>>(async () => ({}));
    const part = lazy(load);
    expect(load).not.toHaveBeenCalled();
    const [one, other] = await Promise.all([part(), part()]);
    expect(one).toBe(other);
    expect(await part()).toBe(one);
    expect(load).toHaveBeenCalledOnce();
  });

  test('that cannot be loaded rejects with an error of its own code, whose cause is the failure', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module');
    const part = lazy(() => Promise.reject(cause));
    const error = await part().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: 'MODULE_UNAVAILABLE', retryable: false, cause });
    expect(error).toHaveProperty('message', expect.stringContaining('Reload the page'));
  });

  test('that is loaded but refuses its options rejects with that error', async () => {
    const refusal = new AgentError('no', { code: 'INVALID_CONFIG' });
    await expect(lazy(() => Promise.reject(refusal))()).rejects.toBe(refusal);
  });

  test('is loaded again for the next caller after a failure; concurrent callers fail together', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('gone')).mockResolvedValue('here');
    const part = lazy(load);
    const together = await Promise.allSettled([part(), part()]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load).toHaveBeenCalledOnce();
    expect(await part()).toBe('here');
    expect(await part()).toBe('here');
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe('a tab that is offline after a deployment, and has not loaded the code that decides calls', () => {
  const ran = vi.fn<() => string>(() => 'Paid.');
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: ran,
  });

  /** A session in which a call awaits approval. */
  async function waiting() {
    ran.mockClear();
    const client = createManualClient();
    const store = createMemoryStore();
    const agent = createAgent({ client, store, tools: [pay], ports: createManualPorts() });
    const session = await agent.openSession(agent.createSession());
    const sent = session.send('Pay');
    await settled();
    call(client.last(), ['pay', '{"amount":9}']);
    await until(() => session.getStatus() === 'waiting');
    return { client, store, session, sent };
  }

  test('reports the failure to the user, leaves the call unchanged, and runs nothing', async () => {
    network.isThere = false;
    const { session, store } = await waiting();
    const failed = { code: 'MODULE_UNAVAILABLE', message: expect.stringContaining('could not be loaded') };
    await expect(session.approve(callIdOf(session))).rejects.toMatchObject(failed);
    await expect(session.reject(callIdOf(session))).rejects.toMatchObject(failed);
    expect(session.getStatus()).toBe('waiting');
    expect(callsOf(session)).toMatchObject([{ status: 'awaiting-approval', input: { amount: 9 } }]);
    expect(ran).not.toHaveBeenCalled();
    await session.flushed();
    expect((await store.read(session.id))?.events.map(({ type }) => type)).not.toContain('approval.decided');
  });

  test('accepts the same decision when the network is back', async () => {
    network.isThere = false;
    const { session, client, sent } = await waiting();
    await expect(session.approve(callIdOf(session))).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    network.isThere = true;
    await session.approve(callIdOf(session));
    await until(() => client.asked.length === 2);
    say(client.last(), 'Paid.');
    expect((await sent).outcome).toBe('completed');
    expect(ran).toHaveBeenCalledOnce();
  });

  test('loses nothing when the page is reloaded', async () => {
    network.isThere = false;
    const { session, store } = await waiting();
    await expect(session.approve(callIdOf(session))).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    await session.flushed();

    network.isThere = true;
    const client = createManualClient();
    const again = await createAgent({ client, store, tools: [pay], ports: createManualPorts('new') }).openSession(
      session.id,
    );
    expect(again.getStatus()).toBe('waiting');
    await again.approve(callIdOf(again));
    await until(() => client.asked.length === 1);
    expect(ran).toHaveBeenCalledOnce();
  });
});

async function until(condition: () => boolean): Promise<void> {
  // Not `settled`: values from streams and dynamic imports arrive in a later turn of the event loop.
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
