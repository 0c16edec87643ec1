import { createAgent, type Json, type JsonObject, type Message, type Part, type ToolPart } from 'brooklet';
import { toChatMessages, toUIMessages, type UIMessage } from 'brooklet/bridges';
import { createMemoryStore, importMessages } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { validateUIMessages } from 'ai';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultText } from '../../src/core/model/tool-result.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const input = fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(fc.integer(), text)) as fc.Arbitrary<JsonObject>;
const output = fc.oneof<fc.Arbitrary<Json>[]>(text, fc.integer(), input, fc.constant(['x', 1]));

const textPart = text.map((value): Part => ({ type: 'text', text: value }));
const reasoning = text.map((value): Part => ({ type: 'reasoning', text: value }));
const source = fc.constant<Part>({ type: 'source', url: 'https://example.com/', title: 'Title' });
const provider = input.map((data): Part => ({ type: 'provider', name: 'web_search_call', data }));
const media = fc.constantFrom<Part>(
  { type: 'image', mediaType: 'image/png', data: 'QUJD', name: 'a.png' },
  { type: 'image', mediaType: 'image/webp', url: 'https://example.com/a.webp' },
  { type: 'audio', mediaType: 'audio/wav', data: 'QUJD' },
  { type: 'file', mediaType: 'application/pdf', data: 'QUJD', name: 'a.pdf' },
);
const ends = fc.oneof(
  output.map((value) => ({ status: 'succeeded', output: value, isError: false }) as const),
  text.map((value) => ({ status: 'failed', output: value, isError: true }) as const),
  text.map((reason) => ({ status: 'rejected', approval: { verdict: 'rejected', decidedBy: 'user', reason } }) as const),
  fc.constant({
    status: 'succeeded',
    output: 'paid',
    isError: false,
    approval: { verdict: 'approved', decidedBy: 'user' },
  } as const),
  fc.constantFrom('timed-out', 'cancelled', 'uncertain', 'expired').map((status) => ({ status }) as const),
);
const call = fc.tuple(fc.constantFrom('pay', 'look'), input, ends).map(([name, value, end]): ToolPart => ({
  type: 'tool',
  callId: '',
  name,
  inputText: JSON.stringify(value),
  input: value,
  ...end,
}));
const invalid = fc.constant<ToolPart>({ type: 'tool', callId: '', name: 'pay', inputText: '{"cut', status: 'invalid' });

/** Gives messages and calls their ids. */
const conversation = (user: fc.Arbitrary<Part>, assistant: fc.Arbitrary<Part>): fc.Arbitrary<readonly Message[]> => {
  const content = (part: fc.Arbitrary<Part>) => fc.array(part, { minLength: 1, maxLength: 4 });
  const message = fc.oneof(
    fc.tuple(fc.constant('system' as const), content(textPart)),
    fc.tuple(fc.constant('user' as const), content(user)),
    fc.tuple(fc.constant('assistant' as const), content(assistant)),
  );
  return fc.array(message, { minLength: 1, maxLength: 6 }).map((list) =>
    list.map(([role, parts], index) => ({
      id: `m${index + 1}`,
      role,
      timestamp: 1,
      content: parts.map((part, place) => (part.type === 'tool' ? { ...part, callId: `c${index}-${place}` } : part)),
    })),
  );
};

async function imported(items: readonly unknown[]): Promise<readonly Message[]> {
  const store = createMemoryStore();
  const { sessionId, skipped } = await importMessages(store, items, { timestamp: 1 });
  expect(skipped).toBe(0);
  return (await createAgent({ client: createScriptedClient([]), store }).openSession(sessionId)).getMessages();
}

const contentOf = (messages: readonly Message[]) => messages.map(({ role, content }) => ({ role, content }));

/** A call as the AI SDK can state it: how it failed is text, and an expired call is a denied one. */
function asUICall(part: ToolPart): ToolPart {
  const { callId, name, inputText, input: given, status } = part;
  const base = { type: 'tool', callId, name, inputText, ...(given && { input: given }) } as const;
  if (status === 'succeeded' || status === 'failed' || status === 'rejected') return part;
  if (status === 'expired')
    return { ...base, status: 'rejected', approval: { verdict: 'rejected', decidedBy: 'user' } };
  return { ...base, status: 'failed', output: resultText(part), isError: true };
}

test('random sessions become messages of the AI SDK and come back with the same content', async () => {
  const parts = fc.oneof(textPart, reasoning, source, provider, media, call, invalid);
  await fc.assert(
    fc.asyncProperty(conversation(fc.oneof(textPart, media), parts), async (messages) => {
      const converted = toUIMessages(messages);
      await expect(validateUIMessages({ messages: converted })).resolves.toEqual(converted);
      const expected = messages.map((message) => ({
        ...message,
        content: message.content.map((part) => (part.type === 'tool' ? asUICall(part) : part)),
      }));
      expect(contentOf(await imported(converted))).toEqual(contentOf(expected));
    }),
    { numRuns: 300 },
  );
});

test('random messages of the AI SDK become a session and come back as they were', async () => {
  const parts = fc.oneof(textPart, reasoning, source, provider, media, call, invalid);
  await fc.assert(
    fc.asyncProperty(conversation(fc.oneof(textPart, media), parts), async (messages) => {
      const given: UIMessage[] = toUIMessages(messages);
      const back = toUIMessages(await imported(given));
      const withoutIds = (list: readonly UIMessage[]) => list.map(({ role, parts: all }) => ({ role, parts: all }));
      expect(withoutIds(back)).toEqual(withoutIds(given));
    }),
    { numRuns: 300 },
  );
});

/** A call as chat completions can state it: its result is text. */
function asChatCall(part: ToolPart): ToolPart {
  const { callId, name, inputText, input: given } = part;
  const base = { type: 'tool', callId, name, inputText, ...(given && { input: given }) } as const;
  return { ...base, status: 'succeeded', output: resultText(part), isError: false };
}

test('random sessions become messages of chat completions and come back with the same texts, calls and media', async () => {
  const inline = media.filter((part) => part.type !== 'image' || part.url !== undefined || part.name === undefined);
  await fc.assert(
    fc.asyncProperty(conversation(fc.oneof(textPart, inline), fc.oneof(textPart, call, invalid)), async (messages) => {
      const expected = messages.flatMap(({ role, content }): readonly Pick<Message, 'role' | 'content'>[] => {
        const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []));
        const joined: readonly Part[] = texts.length === 0 ? [] : [{ type: 'text', text: texts.join('') }];
        const calls = content.flatMap((part) => (part.type === 'tool' ? asChatCall(part) : []));
        if (role === 'user' && content.some(({ type }) => type !== 'text')) return [{ role, content }];
        return [{ role, content: [...joined, ...calls] }];
      });
      const unnamed = (part: Part): Part =>
        part.type === 'image' && part.url !== undefined ? { ...part, mediaType: 'image/*' } : part;
      const wanted = expected.map(({ role, content }) => ({
        role,
        content: content.map((part) => unnamed(part)),
      }));
      expect(contentOf(await imported(toChatMessages(messages)))).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});

test('reads refusals, images, and calls of both versions of chat completions', async () => {
  const messages = await imported([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'low' } },
      ],
    },
    { role: 'assistant', content: null, refusal: 'I cannot help with that.' },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'Nor with this.' }] },
    { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"at":"it"}' } },
    { role: 'function', name: 'look', content: 'a brook' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'wrong' }] },
  ]);
  expect(contentOf(messages)).toMatchObject([
    { role: 'user', content: [{ text: 'See' }, { type: 'image', mediaType: 'image/png', data: 'QUJD' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'I cannot help with that.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Nor with this.' }] },
    { role: 'assistant', content: [{ name: 'look', input: { at: 'it' }, status: 'succeeded', output: 'a brook' }] },
    { role: 'assistant', content: [{ name: 'look', inputText: '{', status: 'succeeded', output: 'wrong' }] },
  ]);
});
