import { expect, test } from 'vitest';
import { createMemoryReplica } from '../../../src/core/log/memory-replica.ts';

test('a session without a store stays in memory: nothing of it is read, saved or withdrawn', async () => {
  const replica = createMemoryReplica();
  const statuses: string[] = [];
  replica.status$.subscribe(({ state }) => statuses.push(state));
  await Promise.all([replica.flush(), replica.catchUp(), replica.acquireLease(), replica.takeOver()]);
  expect(statuses).toEqual(['memory']);
  expect([replica.isReading(), replica.isSaved(), replica.withdraw('c')]).toEqual([false, false, 'stored']);
});

test('a session without a store knows that it has been closed', () => {
  const replica = createMemoryReplica();
  expect(replica.isClosed()).toBe(false);
  replica.close();
  expect(replica.isClosed()).toBe(true);
});
