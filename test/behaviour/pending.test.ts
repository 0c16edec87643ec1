import { AgentError, createAgent, type SessionStore } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { createPendingReplication } from '../../src/core/session/pending-replication.ts';
import { replication, type ReplicationSource } from '../../src/core/session/replication.ts';
import { storeReplication } from '../../src/core/session/store-replication.ts';
import { createGate } from '../support/gate.ts';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';

/** An agent whose store's code is loaded when the gate opens. */
function stage({ fails = false } = {}) {
  const gate = createGate();
  const memory = createMemoryStore();
  const locks = createSessionLocks('pending');
  const deeds: string[] = [];
  const source: ReplicationSource = {
    async load() {
      await gate.opened;
      if (fails) throw new AgentError('gone', { code: 'MODULE_UNAVAILABLE' });
      return storeReplication;
    },
    get: () => createPendingReplication(source.load()),
  };
  const store: SessionStore = {
    ...memory,
    write(write) {
      deeds.push('write');
      return memory.write(write);
    },
    locks: {
      ...locks,
      acquire(...args) {
        deeds.push('lock');
        return locks.acquire(...args);
      },
    },
  };
  const client = createManualClient();
  const agent = createAgent({
    client,
    store: Object.assign(store, { [replication]: source }),
    ports: createManualPorts('tab'),
  });
  const id = agent.createSession();
  const session = agent.getSession(id) ?? expect.unreachable();
  return { agent, client, session, id, gate, memory, deeds };
}

test('what a session does before its code is loaded is stored afterwards, the lock being requested first', async () => {
  const { agent, client, session, id, gate, memory, deeds } = stage();
  session.rename('Otters');
  session.addMessage({ role: 'user', content: 'a note' });
  const sent = session.send('Hello');
  await settled();
  expect([session.getStorage(), deeds, client.asked.length]).toEqual([{ state: 'saving' }, [], 0]);
  gate.open();
  expect(await agent.openSession(id)).toBe(session);
  await settled();
  say(client.last(), 'Hi');
  expect((await sent).outcome).toBe('completed');
  await session.flushed();
  expect(session.getStorage()).toEqual({ state: 'saved' });
  expect(deeds.slice(0, 2)).toEqual(['lock', 'write']);
  const stored = await memory.read(id);
  expect(stored?.events.map(({ seq }) => seq)).toEqual(stored?.events.map((_event, index) => index + 1));
  expect(stored?.summary).toMatchObject({ title: 'Otters', messageCount: 3 });
  const later = await createAgent({ client, store: memory }).openSession(id);
  expect(later.getState()).toEqual(session.getState());
});

test('a cancel before the code is loaded ends the run', async () => {
  const { client, session, gate, memory, id } = stage();
  const sent = session.send('Hello');
  session.cancel();
  expect((await sent).outcome).toBe('cancelled');
  gate.open();
  await session.flushed();
  expect(client.asked).toHaveLength(0);
  expect((await memory.read(id))?.events.at(-1)).toMatchObject({ type: 'run.ended', outcome: 'cancelled' });
});

test('a session that is removed before the code is loaded leaves nothing in the store', async () => {
  const { agent, id, gate, memory, deeds } = stage();
  agent.removeSession(id);
  gate.open();
  await settled();
  await agent.removed(id);
  expect([await memory.read(id), deeds]).toEqual([undefined, []]);
});

test('a session whose code cannot be loaded reports it, and stays in memory', async () => {
  const { agent, session, id, gate } = stage({ fails: true });
  const sent = session.send('Hello');
  gate.open();
  expect(await sent).toMatchObject({ outcome: 'failed', error: { code: 'MODULE_UNAVAILABLE' } });
  await expect(session.flushed()).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
  expect(session.getStorage()).toMatchObject({ state: 'failed', error: { code: 'MODULE_UNAVAILABLE' } });
  expect(await agent.openSession(id)).toBe(session);
  await expect(agent.openSession('another')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
});

test('another tab sees a session that was created before the code was loaded', async () => {
  const { session, id, gate, memory } = stage();
  const other = createAgent({ client: createManualClient(), store: memory });
  await expect(other.openSession(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  session.rename('Otters');
  gate.open();
  await session.flushed();
  const there = await other.openSession(id);
  there.rename('Beavers');
  await settled();
  expect(session.getState().title).toBe('Beavers');
});
