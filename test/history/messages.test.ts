import type { JsonObject } from 'brooklet';
import { createMemoryStore, importMessages } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { imported, open, shown } from './stage.ts';

async function messagesOf(source: string | Blob | readonly unknown[]) {
  const store = createMemoryStore();
  const { sessionId, leftOut } = await importMessages(store, source, { timestamp: 1_000 });
  const messages = (await open(store, sessionId)).getMessages();
  return { messages, shown: shown(messages), leftOut };
}

describe('messages of the AI SDK', () => {
  test('of version 4 keep calls, reasoning, files and sources of their parts', async () => {
    const { shown: seen, leftOut } = await messagesOf([
      {
        id: '1',
        role: 'user',
        content: 'Weather?',
        parts: [{ type: 'text', text: 'Weather?' }],
        experimental_attachments: [
          { name: 'a.png', contentType: 'image/png', url: 'data:image/png;base64,QUJD' },
          { name: 'b', url: 'blob:x' },
        ],
        createdAt: '2025-01-01T00:00:00.000Z',
      },
      {
        id: '2',
        role: 'assistant',
        content: 'Sunny.',
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', reasoning: 'Hm', details: [] },
          {
            type: 'tool-invocation',
            toolInvocation: {
              state: 'result',
              step: 0,
              toolCallId: 'c1',
              toolName: 'weather',
              args: { city: 'Lima' },
              result: { temp: 20 },
            },
          },
          { type: 'tool-invocation', toolInvocation: { state: 'call', toolCallId: 'c2', toolName: 'pay', args: {} } },
          { type: 'source', source: { sourceType: 'url', id: 's', url: 'https://w.example/', title: 'W' } },
          { type: 'file', mimeType: 'image/png', data: 'QUJD' },
          { type: 'text', text: 'Sunny.' },
        ],
        toolInvocations: [
          { state: 'result', toolCallId: 'c1', toolName: 'weather', args: { city: 'Lima' }, result: { temp: 20 } },
        ],
      },
    ]);
    expect(seen).toEqual([
      ['user', 'Weather?', 'image image/png QUJD'],
      [
        'assistant',
        'reasoning Hm',
        'weather {"city":"Lima"} succeeded {"temp":20}',
        'pay {} cancelled undefined',
        'source https://w.example/',
        'image image/png QUJD',
        'Sunny.',
      ],
    ]);
    expect(leftOut).toEqual([{ part: 'file', reason: 'not-in-file', count: 1 }]);
  });

  test('of version 3 keep calls beside the content', async () => {
    const { shown: seen } = await messagesOf([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: 'Ho',
        reasoning: 'Hm',
        toolInvocations: [{ state: 'result', toolCallId: 'c', toolName: 'f', args: {}, result: 'r' }],
      },
    ]);
    expect(seen[1]).toEqual(['assistant', 'reasoning Hm', 'Ho', 'f {} succeeded "r"']);
  });

  test('of version 5 keep calls, and count parts that have no place here', async () => {
    const {
      shown: seen,
      messages,
      leftOut,
    } = await messagesOf([
      {
        id: 'x',
        role: 'assistant',
        metadata: {
          model: 'gpt-5',
          totalUsage: { inputTokens: 5, outputTokens: 2, outputTokenDetails: { reasoningTokens: 1 } },
        },
        parts: [
          { type: 'step-start' },
          {
            type: 'tool-weather',
            toolCallId: 'c1',
            state: 'output-available',
            input: { city: 'Lima' },
            output: { temp: 20 },
          },
          { type: 'step-start' },
          { type: 'source-document', sourceId: 's', mediaType: 'application/pdf', title: 'T' },
          { type: 'data-weather', data: {} },
          { type: 'text', text: 'Sunny.' },
        ],
      },
    ]);
    expect(seen).toEqual([
      ['assistant', 'weather {"city":"Lima"} succeeded {"temp":20}'],
      ['assistant', 'Sunny.'],
    ]);
    expect(messages[0]).toMatchObject({ id: 'x', model: 'gpt-5', usage: { input: 5, output: 2, reasoning: 1 } });
    expect(leftOut).toEqual([
      { part: 'source-document', reason: 'unknown', count: 1 },
      { part: 'data-weather', reason: 'unknown', count: 1 },
    ]);
  });

  test('for models have their calls and results as blocks', async () => {
    const { shown: seen } = await messagesOf([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', image: 'QUJD', mediaType: 'image/png' },
          { type: 'file', data: 'https://f.example/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: { at: 1 } },
          { type: 'tool-call', toolCallId: 'd', toolName: 'see', args: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'json', value: { seen: true } } },
          { type: 'tool-result', toolCallId: 'd', toolName: 'see', output: { type: 'error-text', value: 'dark' } },
        ],
      },
    ]);
    expect(seen).toEqual([
      ['user', 'Look', 'image image/png QUJD', 'file application/pdf https://f.example/a.pdf'],
      ['assistant', 'reasoning Hm', 'look {"at":1} succeeded {"seen":true}', 'see {} failed "dark"'],
    ]);
  });
});

test('what services send beside the content of a message is kept', async () => {
  const { shown: seen } = await messagesOf([
    {
      role: 'assistant',
      content: 'See',
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }],
      audio: { id: 'a', data: 'QUJD', transcript: 'Said' },
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://w.example/', title: 'W' } }],
    },
  ]);
  expect(seen).toEqual([
    ['assistant', 'See', 'image image/png QUJD', 'Said', 'audio audio/* QUJD', 'source https://w.example/'],
  ]);
});

describe('messages of Anthropic', () => {
  test('keep calls, results, pictures and documents', async () => {
    const { shown: seen, leftOut } = await messagesOf([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read' },
          { type: 'image', source: { type: 'url', url: 'https://i.example/a.png' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'QUJD' }, title: 'a.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hi' } },
          { type: 'document', source: { type: 'file', file_id: 'f' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'Wait.' },
          { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [{ type: 'web_search_result', url: 'https://w.example/' }],
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'gone' },
          { type: 'text', text: 'And now?' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }] },
    ]);
    expect(seen).toEqual([
      ['user', 'Read', 'image image/* https://i.example/a.png', 'file application/pdf QUJD', 'file text/plain SGk='],
      [
        'assistant',
        'reasoning Hm',
        'Wait.',
        'read {"path":"a"} failed "gone"',
        'web_search {"query":"q"} succeeded [{"type":"web_search_result","url":"https://w.example/"}]',
      ],
      ['user', 'And now?'],
    ]);
    expect(leftOut).toMatchObject([
      { part: 'file', reason: 'not-in-file', count: 1 },
      { part: 'reasoning', reason: 'encrypted', count: 1 },
      { part: 'result', reason: 'without-call', count: 1 },
      { part: 'message', reason: 'empty', count: 1 },
    ]);
  });

  test('in a request keep its instructions', async () => {
    const request = { model: 'claude', system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] };
    expect((await messagesOf(JSON.stringify(request))).shown).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Hi'],
    ]);
  });
});

describe('a file', () => {
  const text = '{"role":"user","content":"Héllo"}\n{"role":"assistant","content":"Hi"}\n';
  const expected = [
    ['user', 'Héllo'],
    ['assistant', 'Hi'],
  ];
  const utf16 = (order: 'LE' | 'BE') => {
    const bytes = new Uint8Array((text.length + 1) * 2);
    const view = new DataView(bytes.buffer);
    [...`\ufeff${text}`].forEach((char, index) => view.setUint16(index * 2, char.charCodeAt(0), order === 'LE'));
    return new Blob([bytes]);
  };

  test.each<[string, string | Blob]>([
    ['that begins with a byte order mark', `\ufeff${text}`],
    ['whose bytes begin with one', new Blob([`\ufeff${text}`])],
    ['in UTF-16, as Windows writes it', utf16('LE')],
    ['in UTF-16 of the other order', utf16('BE')],
    ['with Windows line ends and empty lines', text.replaceAll('\n', '\r\n\r\n')],
    [
      'that is one list over many lines',
      JSON.stringify(
        text
          .trim()
          .split('\n')
          .map((line): unknown => JSON.parse(line)),
        undefined,
        2,
      ),
    ],
    [
      'with two documents over many lines',
      text
        .trim()
        .split('\n')
        .map((line) => JSON.stringify(JSON.parse(line), undefined, 2))
        .join('\n'),
    ],
  ])('%s is read', async (_what, source) => {
    expect((await messagesOf(source)).shown).toEqual(expected);
    expect(shown((await imported(source)).session.getMessages())).toEqual(expected);
  });

  test.each([
    ['that is cut off', text.slice(0, -10), 'Line 2 of the source is not complete'],
    ['that is a list which is cut off', `[${text.trim().split('\n').join(',')}`, 'ends within a list'],
    ['with a line that is cut off', `{"role":"user","content":"He\n${text}`, 'Line 1 of the source is not JSON'],
    ['that is a web page', '<!doctype html><html></html>', 'Line 1 of the source is not JSON'],
    ['with one bracket too many', `${text}]`, 'Line 3 of the source is not JSON'],
    ['of several conversations', '[{"mapping":{},"title":"x"}]', 'pass it to importHistory'],
  ])('%s is refused, and says what was expected', async (_what, source, reason) => {
    await expect(messagesOf(source)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(reason),
    });
  });

  test('that is no text is refused', async () => {
    await expect(messagesOf(new Blob([new Uint8Array([0x7b, 0xff, 0xff])]))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('UTF-8'),
    });
  });
});

test.each<[string, JsonObject]>([
  ['ms', { timestamp: 1_700_000_000_000 }],
  ['s', { timestamp: 1_700_000_000 }],
  ['s with fractions', { created_at: 1_700_000_000.0001 }],
  ['µs', { createdAt: 1_700_000_000_000_000 }],
  ['ns', { timestamp: 1_700_000_000_000_000_000 }],
  ['a number as text', { create_time: '1700000000' }],
  ['ISO 8601', { timestamp: '2023-11-14T22:13:20Z' }],
])('a time in %s is the same moment', async (_unit, time) => {
  const { messages } = await messagesOf([{ role: 'user', content: 'a', ...time }]);
  expect(messages[0]?.timestamp).toBe(1_700_000_000_000);
});
