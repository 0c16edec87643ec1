import { initialState } from 'brooklet/core';
import { expect, test } from 'vitest';
import { createStoreLink } from '../../../src/core/log/create-store-link.ts';
import { createLog, type Log } from '../../../src/core/log/log.ts';
import { createManualPorts } from '../../support/ports.ts';

/** The link of a session without a store, whose run no tab drives. */
function stage() {
  const ports = createManualPorts();
  const log: Log = createLog(initialState('s'), ports, (event) => link.add(event));
  const link = createStoreLink({ log, store: undefined, ports });
  const performed: string[] = [];
  link.follow({ isDriving: () => false, perform: (action) => void performed.push(action.do) });
  log.append({ type: 'session.started', sessionId: 's' });
  log.append({ type: 'run.started', runId: 'r' });
  return { link, performed };
}

test('a session without a store stays in memory: nothing of it is read, saved or withdrawn, and no other tab runs it', async () => {
  const { link, performed } = stage();
  const statuses: string[] = [];
  link.status$.subscribe(({ state }) => statuses.push(state));
  await Promise.all([link.flush(), link.flush('strict'), link.catchUp(), link.acquireLease(), link.takeOver()]);
  link.noteStatus();
  link.flushNow();
  expect(statuses).toEqual(['memory']);
  expect([link.isReading(), link.isSaved(), link.withdraw('c')]).toEqual([false, false, 'stored']);
  expect(performed).toEqual([]);
});

test('a session without a store knows that it has been closed', () => {
  const { link } = stage();
  expect(link.isClosed()).toBe(false);
  link.close();
  expect(link.isClosed()).toBe(true);
});
