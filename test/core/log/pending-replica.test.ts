import { initialState } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
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
  const store = createMemoryStore();
  const log: Log = createLog(initialState('s'), ports, (event) => replica.add(event));
  const loading = gate.opened.then(() => ({ createReplica: createStoreReplica }));
  const replica = createPendingReplica(loading, { log, store, ports });
  return { gate, ports, store, log, replica };
}

test('reports no read, nothing saved and nothing to withdraw before its code is loaded, and what is so afterwards', async () => {
  const { gate, log, replica } = stage();
  const before = log.getState();
  log.append({ type: 'session.started', sessionId: 's' });
  expect([replica.isReading(), replica.isSaved(), replica.withdraw('c', before)]).toEqual([false, false, false]);
  replica.noteStatus();
  replica.noteReplayed();
  replica.flushNow();
  gate.open();
  await replica.flush();
  replica.follow({ isDriving: () => false, perform: () => {} });
  expect([replica.isReading(), replica.isSaved(), replica.withdraw('c', before)]).toEqual([true, true, false]);
  await replica.catchUp();
  expect(replica.isReading()).toBe(false);
  await replica.takeOver();
  replica.close();
  expect(replica.isClosed()).toBe(true);
});

test('keeps nothing that is appended after it was closed', async () => {
  const { gate, log, replica, store } = stage();
  replica.close();
  log.append({ type: 'session.started', sessionId: 's' });
  gate.open();
  await settled();
  expect([await store.read('s'), replica.isClosed()]).toEqual([undefined, true]);
});
