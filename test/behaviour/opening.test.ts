import { createAgent } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';

/** Two tabs of one store with locks; the first one runs a session. */
async function stage() {
  const store = { ...createMemoryStore(), locks: createSessionLocks('opening') };
  const dead = new Set<string>();
  const tab = (name: string) => {
    const acquired = new Set<{ release(): void }>();
    const agent = createAgent({
      client: createManualClient(),
      ports: createManualPorts(name),
      store: {
        ...store,
        write: (write) => (dead.has(name) ? new Promise(() => {}) : store.write(write)),
        locks: {
          ...store.locks,
          async acquire(...args) {
            const lock = await store.locks.acquire(...args);
            acquired.add(lock);
            return lock;
          },
        },
      },
    });
    return {
      agent,
      kill() {
        dead.add(name);
        for (const lock of acquired) lock.release();
      },
    };
  };
  const [first, second] = [tab('first'), tab('second')];
  const session = await first.agent.openSession(first.agent.createSession());
  void session.send('Hello');
  await settled();
  expect(session.getStatus()).toBe('running');
  return { first, second, id: session.id };
}

test('a session whose tab has vanished opens with its run closed, so that it can be resumed at once', async () => {
  const { first, second, id } = await stage();
  first.kill();
  const session = await second.agent.openSession(id);
  expect(session.getStatus()).toBe('interrupted');
  expect(() => session.resume()).not.toThrow();
});

test('a session that another tab runs opens at once, as running', async () => {
  const { second, id } = await stage();
  const session = await second.agent.openSession(id);
  expect(session.getStatus()).toBe('running');
  expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
});
