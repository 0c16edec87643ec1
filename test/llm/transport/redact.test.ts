import { lastValueFrom, toArray } from 'rxjs';
import { createChatCompletionsClient, createResponsesClient, type LLMChunk, type LLMClient } from 'brooklet';
import { createAnthropicClient } from 'brooklet/anthropic';
import { createOpenAIClient } from 'brooklet/openai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { redact } from '../../../src/llm/transport/redact.ts';

const key = 'canary0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const fragments = Array.from({ length: key.length - 11 }, (_, at) => key.slice(at, at + 12));
const base64 = (text: string): string => btoa(text);

describe('a text of an error', () => {
  test.each([
    ['the key', key],
    ['the key without its first characters', key.slice(6)],
    ['the key without its last characters', key.slice(0, -6)],
    ['the key broken by a newline', `${key.slice(0, 9)}\n${key.slice(9)}`],
    ['the key in spaced groups', key.replaceAll(/.{5}/g, '$& ')],
    ['the key as base64', base64(key)],
    ['basic credentials', base64(`user:${key}`)],
    ['a bearer header as base64', base64(`Bearer ${key}`)],
    ['a JSON body as base64', base64(JSON.stringify({ key }))],
    ['base64 for URLs', base64(`${key}???>>>`).replaceAll('+', '-').replaceAll('/', '_')],
  ])('contains no part of the key where it quotes %s', (_, quote) => {
    const clean = redact(`The service said: "${quote}" and no more.`, ['a header', key]);
    expect(clean).toContain('[redacted]');
    expect(clean).toMatch(/^The service said: .* and no more\.$/s);
    const compact = clean.replaceAll(/\s/g, '');
    for (const fragment of fragments) expect(compact).not.toContain(fragment);
    for (const at of [0, 4, 8, 12]) expect(compact).not.toContain(base64(key).slice(at, at + 16));
  });

  const odd = 'ab+cd/ef=gh+ij/kl=mn+op/qr=9';
  test.each([
    ['an address', encodeURIComponent(odd)],
    ['an address with small hex digits', encodeURIComponent(odd).replaceAll(/%../g, (code) => code.toLowerCase())],
    ['a form', new URLSearchParams({ key: odd }).toString().slice(4)],
    ['JSON with escaped slashes', odd.replaceAll('/', String.raw`\/`)],
    ['base64 in an address', encodeURIComponent(base64(odd))],
    ['a part of an address', encodeURIComponent(odd).slice(3, -3)],
  ])('contains no part of a key with signs in %s', (_, quote) => {
    const clean = redact(`The service said: "${quote}" and no more.`, [odd]);
    expect(clean).toContain('[redacted]');
    for (let at = 0; at + 15 <= quote.length; at += 1) expect(clean).not.toContain(quote.slice(at, at + 15));
  });

  test('keeps its words where a header of the page is an address or a name', () => {
    const text = 'Check the base URL https://www.example.com/v1: My Application 2 is not allowed there.';
    expect(redact(text, ['https://www.mypage.example/app2', 'My Applications 12'])).toBe(text);
  });
});

type Fetch = typeof globalThis.fetch;
const stream =
  (...events: readonly object[]): Fetch =>
  () =>
    Promise.resolve(
      new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      }),
    );
const heard = (client: LLMClient): Promise<readonly LLMChunk[]> =>
  lastValueFrom(client.sendRequest({ sessionId: 's', messages: [] }).pipe(toArray()));

const tool = {
  index: 0,
  id: `id-${key}`,
  type: 'function',
  function: { name: `tool_${key}`, arguments: '{}' },
  more: key,
};
const chat = stream(
  { model: `m-${key}`, choices: [{ delta: { tool_calls: [tool] } }], citations: [`https://a.test/?key=${key}`] },
  { choices: [{ delta: { reasoning_details: [{ type: 'x', data: key }] }, finish_reason: `other ${key.slice(5)}` }] },
);
const baseURL = 'https://api.test/v1';

describe('a successful answer', () => {
  test.each<[string, LLMClient]>([
    ['chat completions', createChatCompletionsClient({ baseURL, apiKey: key, fetch: chat })],
    [
      'a header of the page',
      createChatCompletionsClient({ baseURL, headers: { 'x-auth': `Token ${key}` }, fetch: chat }),
    ],
    [
      'the OpenAI SDK with a key function',
      createOpenAIClient(
        new OpenAI({ baseURL, apiKey: () => Promise.resolve(key), fetch: chat, dangerouslyAllowBrowser: true }),
      ),
    ],
    [
      'Responses',
      createResponsesClient({
        baseURL,
        apiKey: key,
        fetch: stream(
          { type: 'response.output_item.done', output_index: 0, item: { type: 'web_search_call', id: key } },
          { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', name: key } },
          { type: 'response.completed', response: { status: 'completed', model: key } },
        ),
      }),
    ],
    [
      'Messages',
      createAnthropicClient({
        apiKey: key,
        fetch: stream(
          { type: 'message_start', message: { model: key } },
          {
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'tool_use', id: 'i', name: key, caller: key },
          },
          { type: 'message_delta', delta: { stop_reason: `end ${key}` } },
        ),
      }),
    ],
  ])('of %s contains the key in no field that is not text of the model', async (_, client) => {
    const chunks = await heard(client);
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
    const all = JSON.stringify(chunks);
    expect(all).toContain('[redacted]');
    for (const fragment of fragments) expect(all).not.toContain(fragment);
  });

  test('keeps what the model wrote, and names that contain a short word used as a key', async () => {
    const said = { content: `Your key is ${key}.` };
    const fetch = stream({ model: 'ollama-1', choices: [{ delta: said, finish_reason: 'stop' }] });
    expect(await heard(createChatCompletionsClient({ baseURL, apiKey: key, fetch }))).toMatchObject([
      { type: 'text', text: said.content },
      { type: 'finish', model: 'ollama-1' },
    ]);
    const local = createChatCompletionsClient({ baseURL, apiKey: 'ollama', fetch });
    expect((await heard(local)).at(-1)).toMatchObject({ model: 'ollama-1' });
  });
});
