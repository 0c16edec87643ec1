import { expect, test } from 'vitest';
import { addUsage } from '../../../src/core/model/usage.ts';
import { foldBodies } from '../../support/events.ts';

test('a sum keeps the kinds of tokens that only one of its parts counts', () => {
  expect(addUsage({ input: 1, output: 2, cached: 3 }, { input: 10, output: 0, reasoning: 4 })).toEqual({
    input: 11,
    output: 2,
    cached: 3,
    reasoning: 4,
  });
});

test('a sum is a new object', () => {
  const sum = { input: 1, output: 2 };
  expect(addUsage(sum, { input: 1, output: 1 })).toEqual({ input: 2, output: 3 });
  expect(sum).toEqual({ input: 1, output: 2 });
});

test('a pinned message is no compaction of the run: its next step may be one', () => {
  const { run } = foldBodies(
    { type: 'session.started', sessionId: 's' },
    { type: 'run.started', runId: 'r' },
    { type: 'message.pinned', messageId: 'a', pinned: true },
  );
  expect(run).not.toHaveProperty('compactedAtStep');
});
