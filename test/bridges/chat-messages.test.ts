import type { Message, Part, ToolPart } from 'brooklet';
import { toChatMessages } from 'brooklet/bridges';
import { createMemoryStore, importMessages } from 'brooklet/storage';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { expect, expectTypeOf, test } from 'vitest';

const message = (role: Message['role'], content: readonly Part[]): Message => ({
  id: 'm',
  role,
  content,
  timestamp: 1,
});

const call = (status: ToolPart['status'], more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c1',
  name: 'pay',
  inputText: '{"amount":20}',
  input: { amount: 20 },
  status,
  ...more,
});

test('the result is a list of messages of the OpenAI SDK by type', () => {
  expectTypeOf(toChatMessages([])).toExtend<ChatCompletionMessageParam[]>();
});

test('a conversation with media and calls is converted, each call with a result', () => {
  const converted = toChatMessages([
    message('system', [{ type: 'text', text: 'Be brief.' }]),
    message('user', [
      { type: 'text', text: 'Pay.' },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
      { type: 'audio', mediaType: 'audio/mpeg', data: 'QUJD' },
      { type: 'file', mediaType: 'application/pdf', data: 'QUJD', name: 'bill.pdf' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
    ]),
    message('assistant', [{ type: 'reasoning', text: 'Hm.' }]),
    message('assistant', [{ type: 'text', text: 'I pay.' }, call('succeeded', { output: 'Paid.' }), call('uncertain')]),
    message('assistant', [call('awaiting-approval')]),
  ]);
  const requested = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"amount":20}' } };
  expect(converted).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Pay.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
        { type: 'file', file: { filename: 'bill.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
        { type: 'text', text: 'https://example.com/a.pdf' },
      ],
    },
    { role: 'assistant', content: 'I pay.', tool_calls: [requested, requested] },
    { role: 'tool', tool_call_id: 'c1', content: 'Paid.' },
    { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('may have taken effect') },
    { role: 'assistant', content: null, tool_calls: [requested] },
    { role: 'tool', tool_call_id: 'c1', content: 'The call has no result yet.' },
  ]);
});

test('what was converted is read back by importMessages', async () => {
  const given = [
    message('user', [{ type: 'text', text: 'Pay.' }]),
    message('assistant', [{ type: 'text', text: 'I pay.' }, call('succeeded', { output: 'Paid.' })]),
  ];
  const store = createMemoryStore();
  const { sessionId, skipped } = await importMessages(store, toChatMessages(given));
  const { events = [] } = (await store.read(sessionId)) ?? {};
  const read = events.flatMap((event) => (event.type === 'message.added' ? [event.message] : []));
  expect(skipped).toBe(0);
  expect(read.map(({ role, content }) => ({ role, content }))).toMatchObject(
    given.map(({ role, content }) => ({ role, content })),
  );
});
