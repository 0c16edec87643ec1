import { expect, test } from 'vitest';
import type { Message, ToolPart } from '../../../src/core/model/message.ts';
import { handoffsIn, withoutHandoffs } from '../../../src/core/model/handoffs.ts';

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'transfer_to_billing',
  inputText: '{}',
  input: {},
  status: 'succeeded',
  output: 'Passed.',
  handoff: 'billing',
};
const reply: Message = {
  id: 'm',
  role: 'assistant',
  content: [{ type: 'text', text: 'One moment.' }, call],
  timestamp: 1,
};

test('the handoff of a reply that came in a file has no effect, and the rest of the reply stays', () => {
  expect(handoffsIn({ messages: [reply] })).toEqual([call]);
  const { handoff: _handoff, ...plain } = call;
  expect(withoutHandoffs(reply)).toEqual({ ...reply, content: [{ type: 'text', text: 'One moment.' }, plain] });
  expect(handoffsIn({ messages: [withoutHandoffs(reply)] })).toEqual([]);
});

test('a message without a handoff is the same message', () => {
  const other: Message = { ...reply, content: [{ type: 'text', text: 'Hi.' }] };
  expect(withoutHandoffs(other)).toBe(other);
  expect(withoutHandoffs({ ...reply, role: 'user' })).toMatchObject({ content: reply.content });
});
