import { initialState } from 'brooklet/core';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { createLog, type Log } from '../../../src/core/log/log.ts';
import { createPendingReplica } from '../../../src/core/log/pending-replica.ts';
import { createStoreReplica } from '../../../src/core/log/store-replica.ts';
import { createGate } from '../../support/gate.ts';
import { settled } from '../../support/manual-client.ts';
import { createManualPorts } from '../../support/ports.ts';

function stage() {
  const gate = createGate();
  const ports = createManualPorts();
  const locks = createSessionLocks();
  const store = { ...createMemoryStore(), locks };
  const log: Log = createLog(initialState('s'), ports, (event) => replica.add(event));
  const loading = gate.opened.then(() => ({ createSyncedStore: createStoreReplica }));
  const replica = createPendingReplica(loading, { log, store, ports });
  return { gate, ports, store, locks, log, replica };
}

test('reports no read, nothing saved and nothing to withdraw before its code is loaded, and what is so afterwards', async () => {
  const { gate, log, replica } = stage();
  log.append({ type: 'session.started', sessionId: 's' });
  expect([replica.isReading(), replica.isSaved(), replica.withdraw('c')]).toEqual([false, false, 'lost']);
  replica.noteStatus();
  replica.noteReplayed();
  replica.flushNow();
  gate.open();
  await replica.flush();
  replica.follow({ isDriving: () => false, perform: () => {} });
  expect([replica.isReading(), replica.isSaved(), replica.withdraw('c')]).toEqual([true, true, 'stored']);
  await replica.catchUp();
  expect(replica.isReading()).toBe(false);
  await replica.takeOver();
  replica.close();
  expect(replica.isClosed()).toBe(true);
});

test('is not closed before it is, whether its code is loaded or not', async () => {
  const { gate, replica } = stage();
  expect(replica.isClosed()).toBe(false);
  gate.open();
  await replica.flush();
  expect(replica.isClosed()).toBe(false);
});

test('reports its storage when its code has been loaded', async () => {
  const { gate, log, replica } = stage();
  const statuses: string[] = [];
  replica.status$.subscribe(({ state }) => statuses.push(state));
  log.append({ type: 'session.started', sessionId: 's' });
  expect(statuses).toEqual(['saving']);
  gate.open();
  await replica.flush();
  await settled();
  expect(statuses.at(-1)).toBe('saved');
});

test('follows nothing before its code is loaded, and stores at once when the page is hidden after that', async () => {
  const { gate, log, replica, store } = stage();
  replica.follow({ isDriving: () => expect.unreachable(), perform: () => expect.unreachable() });
  gate.open();
  await replica.flush();
  log.append({ type: 'session.started', sessionId: 's' });
  replica.flushNow();
  expect((await store.read('s'))?.events).toHaveLength(1);
});

test('takes the session over when its code has been loaded', async () => {
  const { gate, replica, locks } = stage();
  const held = await locks.acquire('s', new AbortController().signal);
  const taken = replica.takeOver();
  await settled();
  expect(held.signal.aborted).toBe(false);
  gate.open();
  await taken;
  expect(held.signal.aborted).toBe(true);
});

test('releases the lease of a session at rest when its status is noted', async () => {
  const { gate, log, replica, locks } = stage();
  gate.open();
  log.append({ type: 'session.started', sessionId: 's' });
  log.append({ type: 'run.started', runId: 'r' });
  await replica.acquireLease();
  log.append({ type: 'run.ended', runId: 'r', outcome: 'completed' });
  await replica.flush();
  replica.noteStatus();
  await settled();
  expect(await locks.isHeld?.('s')).toBe(false);
});

test('keeps nothing that is appended after it was closed', async () => {
  const { gate, log, replica, store } = stage();
  replica.close();
  log.append({ type: 'session.started', sessionId: 's' });
  gate.open();
  await settled();
  expect([await store.read('s'), replica.isClosed()]).toEqual([undefined, true]);
});
