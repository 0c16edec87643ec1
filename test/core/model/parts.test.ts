import type { CallStatus, Message, Part, ToolPart } from 'brooklet';
import { type EventBody, isEnded } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { closeCalls, sealCalls, withCallsOf } from '../../../src/core/model/parts.ts';
import { answering, foldBodies } from '../../support/events.ts';

const text: Part = { type: 'text', text: 'Hi.' };
const callWith = (callId: string, status: CallStatus, more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId,
  name: 'pay',
  status,
  inputText: '{}',
  input: {},
  ...more,
});
const replyWith = (...content: readonly Part[]): Message => ({
  id: 'm',
  role: 'assistant',
  status: 'complete',
  content,
  timestamp: 1,
});

describe('a message that was not made here', () => {
  test.each<CallStatus>(['streaming', 'requested', 'awaiting-approval', 'approved', 'edited', 'started'])(
    'has no open call: one that is %s is cancelled',
    (status) => {
      const { content } = sealCalls(replyWith(text, callWith('1', status)));
      expect(content).toEqual([text, callWith('1', 'cancelled')]);
    },
  );

  test('loses the start of a call that was cut off, without which the call never runs again', () => {
    const cut = callWith('2', 'uncertain', { startedAt: 5, attempt: 2 });
    const paid = callWith('1', 'succeeded', { startedAt: 3, durationMs: 1, output: 'paid' });
    expect(sealCalls(replyWith(paid, text, cut)).content).toEqual([
      paid,
      text,
      callWith('2', 'uncertain', { attempt: 2 }),
    ]);
  });

  test.each<[string, readonly Part[]]>([
    ['no call', [text]],
    ['a call that has ended', [callWith('1', 'failed', { startedAt: 3 })]],
    ['a call that was cut off elsewhere', [callWith('1', 'uncertain')]],
  ])('stays the same object with %s', (_what, content) => {
    const message = replyWith(...content);
    expect(sealCalls(message)).toBe(message);
  });
});

describe('the calls of a message', () => {
  test('in one state move alone, and the message stays the same object without them', () => {
    const message = replyWith(text, callWith('1', 'streaming'), callWith('2', 'requested', { progress: 1 }));
    expect(closeCalls(message, 'cancelled', 'streaming').content).toEqual([
      text,
      callWith('1', 'cancelled'),
      callWith('2', 'requested', { progress: 1 }),
    ]);
    expect(closeCalls(message, 'uncertain', 'started')).toBe(message);
  });

  test('lose their progress when they are closed', () => {
    const { content } = closeCalls(replyWith(callWith('1', 'started', { progress: 0.5 })), 'uncertain');
    expect(content).toEqual([callWith('1', 'uncertain')]);
  });
});

describe('a message that the page has changed', () => {
  const open = callWith('1', 'approved');
  const ended = callWith('2', 'succeeded', { output: 'paid' });
  const before = replyWith(open, ended);
  const changed = (...content: readonly Part[]): readonly Part[] => withCallsOf(before, replyWith(...content)).content;

  test('has the calls of the original, in the places where the page puts them', () => {
    expect(changed(ended, text, open)).toEqual([ended, text, open]);
    expect(changed(callWith('1', 'succeeded', { output: 'forged' }), ended)).toEqual([open, ended]);
  });

  test('has each open call once, whatever the page has left out or repeated', () => {
    expect(isEnded(open.status)).toBe(false);
    expect(changed(text)).toEqual([text, open]);
    expect(changed(open, open, ended)).toEqual([open, ended]);
  });

  test('has no call that the original does not have', () => {
    expect(changed(callWith('9', 'approved'), open)).toEqual([open]);
  });
});

describe('a text that grows', () => {
  const delta = (body: Pick<Extract<EventBody, { type: 'reasoning.delta' }>, 'text'> & object): EventBody => ({
    type: 'reasoning.delta',
    ...body,
  });
  const contentOf = (...bodies: readonly EventBody[]): readonly Part[] | undefined =>
    foldBodies(...answering, ...bodies).messages.at(-1)?.content;

  test('begins a part of its own after another kind of part', () => {
    expect(
      contentOf({ type: 'text.delta', text: 'A' }, delta({ text: 'B' }), { type: 'text.delta', text: 'C' }),
    ).toEqual([
      { type: 'text', text: 'A' },
      { type: 'reasoning', text: 'B', startedAt: 60, durationMs: 0 },
      { type: 'text', text: 'C' },
    ]);
  });

  test('measures reasoning from its first piece to its last', () => {
    expect(contentOf(delta({ text: 'A' }), delta({ text: 'B' }), delta({ text: 'C' }))).toEqual([
      { type: 'reasoning', text: 'ABC', startedAt: 50, durationMs: 20 },
    ]);
  });

  test('keeps the name of a call that a later piece does not repeat, and takes it when it comes late', () => {
    const piece = (more: { readonly name?: string; readonly text: string }): EventBody => ({
      type: 'call.delta',
      callId: '1',
      ...more,
    });
    const call = { type: 'tool', callId: '1', status: 'streaming' };
    expect(contentOf(piece({ name: 'pay', text: '{' }), piece({ text: '}' }))).toEqual([
      { ...call, name: 'pay', inputText: '{}' },
    ]);
    expect(contentOf(piece({ text: '{' }), piece({ name: 'pay', text: '}' }))).toEqual([
      { ...call, name: 'pay', inputText: '{}' },
    ]);
  });
});
