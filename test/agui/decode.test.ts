import { describe, expect, test } from 'vitest';
import { createAGUIReader } from '../../src/agui/decode.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { bytes, frame, type Heard, hear } from '../support/llm-answer.ts';
import { cutAt } from '../support/llm-cuts.ts';

interface Told {
  readonly type: string;
  readonly [field: string]: unknown;
}

const run = { threadId: 't', runId: 'r' };
const started = { type: 'RUN_STARTED', ...run };
const finished = (more: object = {}): Told => ({ type: 'RUN_FINISHED', ...run, ...more });

function read(
  events: readonly object[],
  { cut, onEvent }: { cut?: number; onEvent?: (event: JsonObject) => void } = {},
): Heard {
  const all = bytes(frame(events, { done: false }));
  return hear(cutAt(all, cut === undefined ? [] : [cut]), (options) =>
    createAGUIReader({ ...options, tools: new Set(['look']), onEvent }),
  );
}

const mark = (messageId: string): object => ({ type: 'provider', name: 'agui.message', data: { messageId } });
const said = (id: string, ...deltas: readonly string[]): readonly Told[] => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const called = (id: string, name: string, ...deltas: readonly string[]): readonly Told[] => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: 'm1' },
  ...deltas.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
  { type: 'TOOL_CALL_END', toolCallId: id },
];

const everything: readonly Told[] = [
  started,
  { type: 'STATE_SNAPSHOT', snapshot: { mood: 'good' } },
  { type: 'REASONING_START', messageId: 'r1' },
  { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'Hm' },
  { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'abc' },
  { type: 'REASONING_END', messageId: 'r1' },
  ...said('m1', 'Wait', '', ', é'),
  ...called('c1', 'search', '{"q":', '"x"}'),
  { type: 'TOOL_CALL_RESULT', messageId: 'm2', toolCallId: 'c1', content: 'found', role: 'tool' },
  ...called('c2', 'look', '{"at"', ':"it"}'),
  ...said('m3', 'Done'),
  finished({ outcome: { type: 'success', pendingToolCallIds: ['c2'] }, usage: [{ inputTokens: 5, outputTokens: 2 }] }),
];

const whole: Partial<Heard> = {
  text: 'Wait, éDone',
  reasoning: 'Hm',
  providers: [{ agui: { subtype: 'message', entityId: 'r1', encryptedValue: 'abc' } }],
  calls: [{ name: 'look', inputText: '{"at":"it"}', id: 'c2', provider: { agui: { toolCallId: 'c2' } } }],
  parts: [
    mark('m1'),
    {
      type: 'provider',
      name: 'agui.tool',
      data: { toolCallId: 'c1', name: 'search', input: '{"q":"x"}', resultId: 'm2', output: 'found' },
    },
    mark('m3'),
  ],
  usage: { input: 5, output: 2 },
  finish: 'tool-calls',
  raw: 'success',
};

describe('a run of a remote agent', () => {
  test('is one reply: its texts, its thoughts, its own tools as parts, ours as calls', () => {
    expect(read(everything)).toMatchObject(whole);
  });

  test('is understood alike wherever its bytes are cut', () => {
    const { length } = bytes(frame(everything, { done: false }));
    for (let cut = 1; cut < length; cut++) expect(read(everything, { cut }), `cut at ${cut}`).toMatchObject(whole);
  });

  test('has ended when it says so, and not because the stream did', () => {
    for (const upTo of [1, 8, 12, everything.length - 1]) {
      const { error, finish } = read(everything.slice(0, upTo));
      expect([error?.code, finish], `${upTo} events`).toEqual(['STREAM_INTERRUPTED', undefined]);
    }
  });

  test('fails with what the agent says', () => {
    const { error, text } = read([
      started,
      ...said('m', 'So'),
      { type: 'RUN_ERROR', message: 'rate limit reached', code: '429' },
    ]);
    expect(text).toBe('So');
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  test('is cut off where the agent calls it off', () => {
    const { error } = read([started, ...said('m', 'So'), finished({ outcome: { type: 'cancelled' } })]);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  test('may stop for a question', () => {
    const interrupts = [{ id: 'i1', reason: 'approval', message: 'Really?' }];
    const { finish, raw, parts } = read([started, finished({ outcome: { type: 'interrupt', interrupts } })]);
    expect([finish, raw]).toEqual(['other', 'interrupt']);
    expect(parts).toEqual([{ type: 'provider', name: 'agui.interrupt', data: interrupts }]);
  });
});

describe('what some agents send', () => {
  test('chunks in the place of beginning, piece and end', () => {
    const heard = read([
      started,
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'Hm' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', role: 'assistant', delta: 'He' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'llo' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'look', parentMessageId: 'm1', delta: '{' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'look', delta: '"a":1' },
      { type: 'TOOL_CALL_CHUNK', delta: '}' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c2', toolCallName: 'look', delta: '{}' },
      finished(),
    ]);
    expect(heard).toMatchObject({ text: 'Hello', reasoning: 'Hm', parts: [mark('m1')] });
    expect(heard.calls.map(({ id, inputText }) => [id, inputText])).toEqual([
      ['c1', '{"a":1}'],
      ['c2', '{}'],
    ]);
  });

  test('nothing but the conversation, with the answer in it', () => {
    const heard = read([
      started,
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'u0', role: 'user', content: 'Hi' },
          { id: 'm0', role: 'assistant', content: 'Old' },
          { id: 'u1', role: 'user', content: 'And?' },
          {
            id: 'm1',
            role: 'assistant',
            content: 'Let me see.',
            toolCalls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }],
          },
          { id: 'x1', role: 'tool', toolCallId: 'c1', content: 'found' },
          { id: 'm2', role: 'assistant', content: 'New' },
        ],
      },
      finished(),
    ]);
    expect(heard.text).toBe('Let me see.New');
    expect(heard.parts).toMatchObject([mark('m1'), { name: 'agui.tool', data: { resultId: 'x1' } }, mark('m2')]);
  });

  test('a snapshot beside the stream is not said twice', () => {
    const messages = [
      { id: 'u', role: 'user', content: 'Hi' },
      { id: 'm1', role: 'assistant', content: 'Hello' },
    ];
    expect(read([started, ...said('m1', 'Hello'), { type: 'MESSAGES_SNAPSHOT', messages }, finished()]).text).toBe(
      'Hello',
    );
  });

  test('thoughts by their name before 1.0, and messages of others', () => {
    const heard = read([
      started,
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm' },
      { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u', delta: 'Hi' },
      ...said('m', 'Hello'),
      finished(),
    ]);
    expect([heard.reasoning, heard.text, heard.finish]).toEqual(['Hm', 'Hello', 'stop']);
  });

  test('a tool that ran there and never ended', () => {
    const { parts, calls } = read([started, ...called('c1', 'search', '{}'), finished()]);
    expect(calls).toEqual([]);
    expect(parts).toEqual([
      mark('m1'),
      { type: 'provider', name: 'agui.tool', data: { toolCallId: 'c1', name: 'search', input: '{}' } },
    ]);
  });

  test('nonsense: of every field, every kind of value', () => {
    const kinds = [null, 0, '', 'x', [], {}, true];
    const types = [...new Set(everything.map(({ type }) => type))];
    for (const type of types)
      for (const field of [
        'messageId',
        'delta',
        'toolCallId',
        'toolCallName',
        'content',
        'messages',
        'outcome',
        'usage',
      ])
        for (const value of kinds) {
          const { error } = read([started, { type, [field]: value }, finished()]);
          expect(
            error === undefined || error.name === 'AgentError',
            `${type}.${field} = ${JSON.stringify(value)}`,
          ).toBe(true);
        }
  });
});

test('every event is told as it came, and who listens cannot break the run', () => {
  const told: unknown[] = [];
  const { text } = read(everything, {
    onEvent(event) {
      told.push(event.type);
      throw new Error('mine');
    },
  });
  expect(text).toBe(whole.text);
  expect(told).toEqual(everything.map(({ type }) => type));
});
