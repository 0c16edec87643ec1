import type { EventBody } from 'brooklet/core';
import { expect, test } from 'vitest';
import { fork, snapshot } from '../../../src/core/model/snapshot.ts';
import { AgentError, toErrorInfo } from '../../../src/core/error.ts';
import { foldBodies, userMessage } from '../../support/events.ts';

const tooLong = new AgentError('Too long.', { code: 'CONTEXT_OVERFLOW' });
const bodies: readonly EventBody[] = [
  { type: 'session.started', sessionId: 's' },
  { type: 'message.added', message: userMessage('a') },
  { type: 'message.pinned', messageId: 'a', pinned: true },
  { type: 'context.compaction-failed', cause: 'user', error: toErrorInfo(tooLong) },
];

test('a new log of the same session repeats pins, and no compaction that failed', () => {
  const state = foldBodies(...bodies);
  const types = ['session.started', 'message.added', 'message.pinned'];
  expect(snapshot(state, 'new').write.events.map(({ type }) => type)).toEqual(types);
  expect(fork(state, undefined, { id: 'f', now: 5 }).write.events.map(({ type }) => type)).toEqual(types);
});
