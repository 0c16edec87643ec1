import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import type { BodyEnd, Reader, ReaderOptions } from '../../../src/llm/transport/reader.ts';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { createChatReader } from '../../../src/llm/wires/chat-completions/response.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { createListener, type Heard } from '../../support/llm-answer.ts';

// What holds for the reader of each wire: its end, its errors, and what it emits of numbers and names that a service leaves out.

interface Wire {
  readonly create: (options: ReaderOptions) => Reader;
  readonly text: JsonObject;
  /** The event that completes the answer, with the counts of the wire. */
  readonly end: (counts: JsonObject, model?: string) => JsonObject;
  readonly names: {
    readonly input: string;
    readonly output: string;
    readonly cached: string;
    readonly reasoning: string;
  };
  /** An event that states a failed answer. */
  readonly failed: JsonObject;
}

const nested = (path: string, value: unknown): JsonObject =>
  JSON.parse(path.split('.').reduceRight((inner, key) => `{"${key}":${inner}}`, JSON.stringify(value))) as JsonObject;

const wires: readonly (readonly [string, Wire])[] = [
  [
    'chat completions',
    {
      create: createChatReader,
      text: { choices: [{ index: 0, delta: { content: 'a' } }] },
      end: (usage, model) => ({
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        ...(usage.none ? {} : { usage }),
        ...(model && { model }),
      }),
      names: {
        input: 'prompt_tokens',
        output: 'completion_tokens',
        cached: 'prompt_tokens_details.cached_tokens',
        reasoning: 'completion_tokens_details.reasoning_tokens',
      },
      failed: { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] },
    },
  ],
  [
    'responses',
    {
      create: createResponsesReader,
      text: { type: 'response.output_text.delta', output_index: 0, delta: 'a' },
      end: (usage, model) => ({
        type: 'response.completed',
        response: { status: 'completed', ...(usage.none ? {} : { usage }), ...(model && { model }) },
      }),
      names: {
        input: 'input_tokens',
        output: 'output_tokens',
        cached: 'input_tokens_details.cached_tokens',
        reasoning: 'output_tokens_details.reasoning_tokens',
      },
      failed: { type: 'response.failed', response: { status: 'failed' } },
    },
  ],
  [
    'Anthropic',
    {
      create: createAnthropicReader,
      text: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      end: (usage, model) => ({
        type: model ? 'message' : 'message_delta',
        ...(model ? { stop_reason: 'end_turn', model, content: [] } : { delta: { stop_reason: 'end_turn' } }),
        ...(usage.none ? {} : { usage }),
      }),
      names: {
        input: 'input_tokens',
        output: 'output_tokens',
        cached: 'cache_read_input_tokens',
        reasoning: 'output_tokens_details.thinking_tokens',
      },
      failed: { type: 'message_delta', delta: { stop_reason: 'error' } },
    },
  ],
];

describe.each(wires)('the reader of %s', (name, { create, text, end, names, failed }) => {
  function open(): { reader: Reader; heard: Heard } {
    const { heard, emit } = createListener();
    return { heard, reader: create({ host: 'h', emit, toError: (body) => new Error(JSON.stringify(body)) }) };
  }
  function hear(...events: JsonObject[]): Heard {
    const { reader, heard } = open();
    for (const event of events) reader.read(event);
    reader.end('close');
    return heard;
  }
  const none = { none: true };

  test('is complete from the end mark of the wire on, though more may follow', () => {
    const { reader } = open();
    expect(reader.complete).toBe(false);
    reader.read(text);
    expect(reader.complete).toBe(false);
    reader.read(end(none));
    expect(reader.complete).toBe(true);
  });

  test('emits its end once, and nothing after it', () => {
    const { reader, heard } = open();
    reader.read(text);
    reader.read(end(none));
    reader.end('close');
    const before = structuredClone(heard);
    // Whatever follows: content, an error, another end.
    reader.read(text);
    reader.read(failed);
    reader.read({ error: { message: 'late' } });
    reader.end('close');
    reader.end('[DONE]');
    expect(heard).toEqual(before);
    expect(heard).toMatchObject({ text: 'a', finish: 'stop' });
  });

  test.each<[BodyEnd, boolean, object]>([
    ['close', false, { code: 'STREAM_INTERRUPTED', retryable: true }],
    ['close', true, { code: 'STREAM_INTERRUPTED', retryable: false }],
    ['document', false, { code: 'STREAM_MALFORMED' }],
    ['document', true, { code: 'STREAM_MALFORMED' }],
  ])('errors where the answer ends by %s without its end mark (begun: %s)', (by, isBegun, error) => {
    const { reader } = open();
    if (isBegun) reader.read(text);
    if (name === 'chat completions' && by === 'document' && isBegun) return;
    expect(() => reader.end(by)).toThrow(expect.objectContaining(error));
  });

  test('emits neither a model nor counts that the service does not state', () => {
    const heard = hear(text, end(none));
    expect(Object.keys(heard)).not.toContain('model');
    expect(Object.keys(heard)).not.toContain('usage');
    expect(hear(end(none, 'm-1')).model).toBe('m-1');
  });

  test('emits the counts that the service states, and no others', () => {
    const { input, output, cached, reasoning } = names;
    const usageOf = (...counts: JsonObject[]): unknown =>
      hear(text, end(Object.assign({}, ...counts) as JsonObject)).usage;
    const read = name === 'Anthropic' ? 'cacheRead' : 'cached';
    expect(usageOf({ [input]: 7 })).toEqual({ input: 7, output: 0 });
    expect(usageOf({ [input]: 7, [output]: 3 })).toEqual({ input: 7, output: 3 });
    expect(usageOf({ [input]: 7, [output]: 3 }, nested(cached, 2))).toEqual({ input: 7, output: 3, [read]: 2 });
    expect(usageOf({ [input]: 7, [output]: 3 }, nested(reasoning, 3))).toEqual({ input: 7, output: 3, reasoning: 3 });
    expect(usageOf({ [input]: 7, [output]: 3 }, nested(reasoning, 1))).toMatchObject({ reasoning: 1 });
    // As a part of the output the number would be wrong.
    if (name !== 'Anthropic')
      expect(usageOf({ [input]: 7, [output]: 3 }, nested(reasoning, 4))).toEqual({ input: 7, output: 3 });
  });

  test.each([{ error: { message: 'x' } }, { message: 'x' }])('errors for %j under the name "error"', (body) => {
    const { reader } = open();
    expect(() => reader.read(body, 'error')).toThrow('x');
  });

  test('errors for an error without a name', () => {
    const { reader } = open();
    expect(() => reader.read({ type: 'error', error: { message: 'x' } })).toThrow('x');
  });

  test('errors for a failure in the place of an end', () => {
    const { reader, heard } = open();
    expect(() => {
      reader.read(failed);
      reader.end('close');
    }).toThrow(/failed|error/);
    expect(heard.finish).toBeUndefined();
  });
});
