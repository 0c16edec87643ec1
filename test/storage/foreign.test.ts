import type { Message, Part } from 'brooklet';
import { createMemoryStore, importMessages } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { createPauses } from '../../src/storage/files/pause.ts';
import { toTurns } from '../../src/storage/files/import-messages.ts';
import { defaultLimits } from '../../src/storage/files/limits.ts';
import type { Json } from '../../src/core/json.ts';

async function convert(items: readonly Json[]) {
  const { turns, skipped } = await toTurns(items, 1, createPauses());
  return { messages: turns.map(({ message }) => message), skipped };
}

/** The content of the messages that are made of these items. */
const contents = async (...items: readonly Json[]): Promise<readonly (readonly Part[])[]> =>
  (await convert(items)).messages.map(({ content }) => content);

describe('a block of a message of chat completions', () => {
  const cases: readonly [string, Json, readonly Part[]][] = [
    ['a refusal is a text', { type: 'refusal', refusal: 'No.' }, [{ type: 'text', text: 'No.' }]],
    ['an empty text is nothing', { type: 'text', text: '' }, []],
    ['a thought is reasoning', { type: 'thinking', thinking: 'Hm.' }, [{ type: 'reasoning', text: 'Hm.' }]],
    [
      'an image can be named by its address alone',
      { type: 'image_url', image_url: 'https://a.test/x.png' },
      [{ type: 'image', mediaType: 'image/*', url: 'https://a.test/x.png' }],
    ],
    ['an image without an address is nothing', { type: 'image_url' }, []],
    [
      'audio keeps its format',
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
      [{ type: 'audio', mediaType: 'audio/mp3', data: 'AA==' }],
    ],
    [
      'audio without a format is WAV',
      { type: 'input_audio', input_audio: { data: 'AA==' } },
      [{ type: 'audio', mediaType: 'audio/wav', data: 'AA==' }],
    ],
    [
      'a file keeps its name',
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
      [{ type: 'file', mediaType: 'application/pdf', data: 'AA==', name: 'a.pdf' }],
    ],
    [
      'a file can have no name',
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } },
      [{ type: 'file', mediaType: 'application/pdf', data: 'AA==' }],
    ],
    ['a file that is only named is nothing', { type: 'file', file: { file_id: 'file-1' } }, []],
    ['a block of an unknown type is nothing', { type: 'hologram', data: 'AA==' }, []],
  ];

  test.each(cases)('%s', async (_what, block, parts) => {
    expect(await contents({ role: 'user', content: [{ type: 'text', text: 'See:' }, block] })).toEqual([
      [{ type: 'text', text: 'See:' }, ...parts],
    ]);
  });
});

describe('a part of a UIMessage', () => {
  const cases: readonly [string, Json, readonly Part[]][] = [
    ['a source without an address is nothing', { type: 'source-url', title: 'A' }, []],
    [
      'a source can have no title',
      { type: 'source-url', url: 'https://a.test' },
      [{ type: 'source', url: 'https://a.test' }],
    ],
    ['a file without an address is nothing', { type: 'file', mediaType: 'text/csv' }, []],
    [
      'a file of no stated type is what its data say',
      { type: 'file', url: 'data:audio/wav;base64,AA==' },
      [{ type: 'audio', mediaType: 'audio/wav', data: 'AA==' }],
    ],
    [
      'a file of an unknown type keeps its address',
      { type: 'file', url: 'https://a.test/x', filename: 'x' },
      [{ type: 'file', mediaType: 'application/octet-stream', url: 'https://a.test/x', name: 'x' }],
    ],
    [
      'an image is an image',
      { type: 'file', url: 'https://a.test/x', mediaType: 'image/png' },
      [{ type: 'image', mediaType: 'image/png', url: 'https://a.test/x' }],
    ],
    ['data of the application is nothing', { type: 'data-weather', data: {} }, []],
  ];

  test.each(cases)('%s', async (_what, part, parts) => {
    const message: Json = { role: 'assistant', parts: [{ type: 'text', text: 'See:' }, part] };
    expect(await contents(message)).toEqual([[{ type: 'text', text: 'See:' }, ...parts]]);
  });

  test.each<[string, Json, object]>([
    ['without an output', { state: 'output-available' }, { status: 'succeeded', output: '' }],
    [
      'that failed',
      { state: 'output-error', errorText: 'Too late.' },
      { status: 'failed', output: 'Too late.', isError: true },
    ],
    [
      'that a person denied',
      { state: 'output-denied', approval: { reason: 'Too dear.' } },
      { status: 'rejected', approval: { verdict: 'rejected', decidedBy: 'user', reason: 'Too dear.' } },
    ],
    [
      'that a person denied without a reason',
      { state: 'output-denied' },
      { status: 'rejected', approval: { verdict: 'rejected', decidedBy: 'user' } },
    ],
    ['that waits', { state: 'input-available' }, { status: 'cancelled' }],
  ])('a call %s is closed', async (_what, fields, call) => {
    const part = { type: 'dynamic-tool', toolName: 'pay', toolCallId: 'c', input: { amount: 20 } };
    const [content] = await contents({ role: 'assistant', parts: [{ ...part, ...Object(fields) }] });
    expect(content).toMatchObject([{ type: 'tool', name: 'pay', callId: 'c', ...call }]);
  });

  test('a step begins a message, and a message of nothing is skipped', async () => {
    const step = { type: 'step-start' };
    const parts = [step, { type: 'text', text: 'One' }, step, { type: 'text', text: 'Two' }];
    const { messages, skipped } = await convert([
      { role: 'assistant', parts },
      { role: 'assistant', parts: [step] },
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'One' }],
      [{ type: 'text', text: 'Two' }],
    ]);
    expect(skipped).toBe(1);
    expect(await convert([{ role: 'nobody', parts }])).toEqual({ messages: [], skipped: 1 });
  });
});

describe('a call of another program', () => {
  const call = { type: 'tool_use', id: 'c', name: 'look' };
  test('without an input has an empty one', async () => {
    expect((await contents(call))[0]).toMatchObject([{ name: 'look', inputText: '{}', status: 'cancelled' }]);
  });

  test.each<[string, Json, Json]>([
    [
      'its texts, joined',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
    ],
    [
      'its texts and pictures',
      [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: 'https://a.test' },
      ],
      [
        { type: 'text', text: 'a' },
        { type: 'image', mediaType: 'image/*', url: 'https://a.test' },
      ],
    ],
    ['the value itself', { found: 3 }, { found: 3 }],
  ])('of chat completions has as its output %s', async (_what, content, output) => {
    const [parts] = await contents(call, { role: 'tool', tool_call_id: 'c', content });
    expect(parts).toMatchObject([{ status: 'succeeded', output }]);
  });

  test('of chat completions without a content returned nothing', async () => {
    const [parts] = await contents(call, { role: 'tool', tool_call_id: 'c' });
    expect(parts).toMatchObject([{ status: 'succeeded', output: '' }]);
  });

  test('that nobody asked for is skipped with its result', async () => {
    expect(await convert([{ role: 'tool', tool_call_id: 'c', content: 'x' }])).toEqual({ messages: [], skipped: 1 });
  });

  test('that failed as a whole is a failed call', async () => {
    const execution = { type: 'tool_execution', toolUseId: 'c', toolName: 'look', isError: true, output: 'gone' };
    expect(await contents(execution)).toMatchObject([
      [{ name: 'look', status: 'failed', output: 'gone', isError: true }],
    ]);
    expect(await contents({ ...execution, isError: false, summary: 'ok' })).toMatchObject([[{ summary: 'ok' }]]);
  });
});

test('an item without content is skipped, and one with an odd time has the time before', async () => {
  const items = [
    { role: 'user', content: 'a', timestamp: '2026-01-01T00:00:00Z' },
    { role: 'user', content: 'b', timestamp: 'yesterday' },
    { role: 'assistant', content: '' },
  ];
  const { messages, skipped } = await convert(items);
  const time = Date.UTC(2026, 0, 1);
  expect(messages.map(({ timestamp }: Message) => timestamp)).toEqual([time, time]);
  expect(skipped).toBe(1);
});

test('a source that is too long is refused, and a title is kept', async () => {
  const store = createMemoryStore();
  await expect(importMessages(store, ' '.repeat(defaultLimits.size + 1))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  const { sessionId } = await importMessages(store, [{ role: 'user', content: 'a' }], { title: 'Otters' });
  expect((await store.read(sessionId))?.summary.title).toBe('Otters');
});
