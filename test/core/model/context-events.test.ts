import { type ErrorInfo, type EventBody, next, type SessionState } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { answering, foldBodies, foldOn, userMessage } from '../../support/events.ts';

const tooLong: ErrorInfo = { type: 'LLM_SERVICE', code: 'CONTEXT_OVERFLOW', message: 'too long', retryable: false };
const refused: EventBody = { type: 'reply.refused', error: tooLong };
const compacted: EventBody = {
  type: 'context.compacted',
  compactionId: 'f',
  cause: 'trigger',
  strategy: 'summarize',
  through: 'q',
  summary: 'Boats.',
  tokens: { before: 900, after: 100 },
  usage: { input: 70, output: 7 },
};
const failed: EventBody = { type: 'context.compaction-failed', cause: 'trigger', error: tooLong };
const replyEnds: EventBody = { type: 'reply.ended', finish: 'stop', usage: { input: 10, output: 1 } };
const calls: readonly EventBody[] = [
  { type: 'call.requested', callId: '1', name: 'add', inputText: '{}', input: {} },
  { type: 'reply.ended', finish: 'tool-calls' },
  { type: 'call.ended', callId: '1', outcome: 'invalid' },
];

describe('a context event', () => {
  test.each([
    compacted,
    failed,
    { type: 'context.restored', compactionId: 'f' },
    { type: 'message.pinned', messageId: 'q', pinned: true },
  ] as const)('is kept, and changes no message: $type', (event) => {
    const before = foldBodies(...answering);
    const after = foldOn(before, event);
    expect(after.messages).toBe(before.messages);
    expect(after.context).toMatchObject([event]);
  });

  test('adds its cost to its run and to the session', () => {
    const state = foldBodies(...answering, replyEnds, compacted);
    expect([state.usage, state.run?.usage]).toEqual([
      { input: 80, output: 8 },
      { input: 80, output: 8 },
    ]);
  });

  test('is removed when the conversation is cleared', () => {
    expect(foldBodies(...answering, compacted, { type: 'session.cleared' }).context).toEqual([]);
  });

  test('is recorded for each request in the reply of that request', () => {
    const context = { immutable: 1, compressed: 2, incremental: 3, scratch: 4 };
    const state = foldBodies(...answering.slice(0, 3), { type: 'reply.started', messageId: 'a', context });
    expect(state.messages.at(-1)).toMatchObject({ id: 'a', context });
  });
});

describe('a reply that was refused', () => {
  test('is removed, and its step is repeated', () => {
    const state = foldBodies(...answering, refused);
    expect(state.messages).toEqual([userMessage('q')]);
    expect(state.run).toMatchObject({ steps: 0, isRefused: true });
    expect(state.run).not.toHaveProperty('openReply');
  });

  test('is forgotten when the next reply is complete', () => {
    const again: readonly EventBody[] = [compacted, { type: 'reply.started', messageId: 'b' }, replyEnds];
    expect(foldBodies(...answering, refused, ...again).run).not.toHaveProperty('isRefused');
  });

  test('changes nothing without an open reply', () => {
    const before = foldBodies(...answering, replyEnds);
    expect(foldOn(before, refused)).toEqual({ ...before, seq: before.seq + 1, updatedAt: before.updatedAt + 10 });
  });
});

describe('the next step', () => {
  const doing = (state: SessionState, isDue: boolean): string =>
    next(state, { maxSteps: 3, shouldCompact: () => isDue }).do;
  const asked = answering.slice(0, 3);

  test.each<[string, readonly EventBody[], boolean, string]>([
    ['when folding is not due', asked, false, 'ask'],
    ['when folding is due', asked, true, 'compact'],
    ['when it has been done in this step', [...asked, compacted], true, 'ask'],
    ['when it has failed in this step', [...asked, failed], true, 'ask'],
    ['when it is due again in the next step', [...asked, compacted, ...answering.slice(3), ...calls], true, 'compact'],
    ['while the reply streams', answering, true, 'wait'],
    ['when all is said', [...answering, { type: 'text.delta', text: 'A' }, replyEnds], true, 'end'],
    ['when the provider called the request too long', [...answering, refused], false, 'compact'],
    ['when that has been folded', [...answering, refused, compacted], false, 'ask'],
    ['when that happened right after folding', [...asked, compacted, ...answering.slice(3), refused], false, 'compact'],
  ])('%s', (_when, bodies, isDue, expected) => {
    expect(doing(foldBodies(...bodies), isDue)).toBe(expected);
  });

  test('compacts, then ends, in a run that only compacts', () => {
    const run: EventBody = { type: 'run.started', runId: 'f', isCompaction: true };
    const message: EventBody = { type: 'message.added', message: userMessage('q') };
    expect(next(foldBodies(message, run), { maxSteps: 3 })).toEqual({ do: 'compact' });
    expect(next(foldBodies(message, run, failed), { maxSteps: 3 })).toEqual({ do: 'end', outcome: 'cancelled' });
    expect(next(foldBodies(...answering, replyEnds, run, compacted), { maxSteps: 3 })).toMatchObject({ do: 'end' });
  });
});
