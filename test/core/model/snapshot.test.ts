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

test('a new log ends with the number and the time of the state, and begins with the time of the session', () => {
  const state = foldBodies(...bodies);
  const { write, state: stored } = snapshot(state, 'new');
  expect(write.events.map(({ seq, at }) => [seq, at])).toEqual([
    [2, 10],
    [3, 40],
    [4, 40],
  ]);
  expect(stored).toMatchObject({ seq: 4, createdAt: 10, updatedAt: 40 });
});

test('a new log of the same session repeats its queue, a fork does not', () => {
  const state = foldBodies(
    ...bodies,
    { type: 'metadata.changed', metadata: { color: 'red' } },
    { type: 'message.queued', message: userMessage('b'), mode: 'steer', settings: { model: 'careful' } },
  );
  const again = snapshot(state, 'new').state;
  expect([again.queue, again.metadata]).toEqual([state.queue, { color: 'red' }]);
  const forked = fork(state, undefined, { id: 'f', now: 5 }).state;
  expect(forked).toMatchObject({ id: 'f', queue: [], metadata: { color: 'red' }, createdAt: 5, updatedAt: 5, seq: 4 });
});

test('a fork ends after the given message, and an unknown one is refused', () => {
  const state = foldBodies(...bodies, { type: 'message.added', message: userMessage('b') });
  const idsIn = (messageId?: string) => fork(state, messageId, { id: 'f', now: 5 }).state.messages.map(({ id }) => id);
  expect([idsIn('a'), idsIn('b'), idsIn()]).toEqual([['a'], ['a', 'b'], ['a', 'b']]);
  expect(() => idsIn('nobody')).toThrow(expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }));
});

test('a new log repeats a compaction without its usage, which has been counted', () => {
  const state = foldBodies(...bodies, {
    type: 'context.compacted',
    compactionId: 'c',
    cause: 'user',
    strategy: 'drop',
    through: 'a',
    tokens: { before: 9, after: 1 },
    usage: { input: 9, output: 1 },
  });
  const [compacted] = snapshot(state, 'new').write.events.filter(({ type }) => type === 'context.compacted');
  expect(compacted).toMatchObject({ compactionId: 'c', through: 'a', tokens: { before: 9, after: 1 } });
  expect(compacted).not.toHaveProperty('usage');
});

test('a new log of a session without metadata has none', () => {
  expect(snapshot(foldBodies(...bodies), 'new').state).not.toHaveProperty('metadata');
});

test('a new log has the title of the state, whichever version it belongs to', () => {
  const state = foldBodies(
    { type: 'session.started', sessionId: 's' },
    { type: 'message.added', message: userMessage('a', 'Hello') },
    { type: 'message.added', message: userMessage('b', 'Good day'), supersedes: 'a' },
    { type: 'session.renamed', title: 'Hello' },
  );
  expect(snapshot(state, 'new').state).toMatchObject({ title: 'Hello', seq: state.seq });
  expect(fork(state, undefined, { id: 'f', now: 5 }).state.title).toBe('Hello');
});
