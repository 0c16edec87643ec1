import type { Message, ToolPart } from 'brooklet';
import { messageText } from 'brooklet/core';
import { expect, test } from 'vitest';

const call = (status: ToolPart['status'], more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c',
  name: 'pay',
  status,
  inputText: '{"n":1}',
  ...more,
});

const messageOf = (...content: Message['content']): Message => ({ id: 'm', role: 'assistant', content, timestamp: 1 });

test('a message is text with its thoughts, calls and media', () => {
  const message = messageOf(
    { type: 'reasoning', text: 'I pay.' },
    { type: 'text', text: 'I have paid.' },
    { type: 'image', mediaType: 'image/png', data: 'AAAA' },
    call('succeeded', { output: 'paid' }),
  );
  expect(messageText(message)).toBe('[reasoning] I pay.\nI have paid.\n[image]\n[call] pay {"n":1}\n[result] paid');
});

test('a call has the result that the model reads, also without an output, and none before it has ended', () => {
  const rejected = call('rejected', { approval: { verdict: 'rejected', decidedBy: 'user', reason: 'Too much.' } });
  expect(messageText(messageOf(rejected))).toContain('[result] The user rejected this call');
  expect(messageText(messageOf(call('requested')))).toBe('[call] pay {"n":1}');
});
