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
    createAGUIReader({
      ...options,
      tools: new Set(['look']),
      state: {},
      openCalls: new Map(),
      endedCalls: new Set(),
      knownMessages: new Set(),
      onEvent,
    }),
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
    { type: 'provider', name: 'agui.state', data: { snapshot: { mood: 'good' } } },
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
  test('is one reply: its texts, its reasoning, its own tools as parts, the page’s tools as calls', () => {
    expect(read(everything)).toMatchObject(whole);
  });

  test('is read the same wherever its bytes are cut', () => {
    const { length } = bytes(frame(everything, { done: false }));
    for (let cut = 1; cut < length; cut++) expect(read(everything, { cut }), `cut at ${cut}`).toMatchObject(whole);
  });

  test('ends with its event, not with the stream', () => {
    for (const upTo of [1, 8, 12, everything.length - 1]) {
      const { error, finish } = read(everything.slice(0, upTo));
      expect([error?.code, finish], `${upTo} events`).toEqual(['STREAM_INTERRUPTED', undefined]);
    }
  });

  test('errors with the message of the agent', () => {
    const { error, text } = read([
      started,
      ...said('m', 'So'),
      { type: 'RUN_ERROR', message: 'rate limit reached', code: '429' },
    ]);
    expect(text).toBe('So');
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  test('errors where the agent cancels it', () => {
    const { error } = read([started, ...said('m', 'So'), finished({ outcome: { type: 'cancelled' } })]);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  test('may stop for an interrupt', () => {
    const interrupts = [{ id: 'i1', reason: 'approval', message: 'Really?' }];
    const { finish, raw, parts } = read([started, finished({ outcome: { type: 'interrupt', interrupts } })]);
    expect([finish, raw]).toEqual(['other', 'interrupt']);
    expect(parts).toEqual([{ type: 'provider', name: 'agui.interrupt', data: interrupts }]);
  });
});

describe('deviations of agents', () => {
  test('read chunks in place of start, content and end', () => {
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

  test('read an answer that is only in the snapshot of the conversation', () => {
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

  test('emit the text of a stream with a snapshot only once', () => {
    const messages = [
      { id: 'u', role: 'user', content: 'Hi' },
      { id: 'm1', role: 'assistant', content: 'Hello' },
    ];
    expect(read([started, ...said('m1', 'Hello'), { type: 'MESSAGES_SNAPSHOT', messages }, finished()]).text).toBe(
      'Hello',
    );
  });

  test('read steps as parts', () => {
    const { parts } = read([
      started,
      { type: 'STEP_STARTED', stepName: 'plan' },
      ...said('m', 'So'),
      { type: 'STEP_FINISHED', stepName: 'plan' },
      finished(),
    ]);
    const step = (status: string) => ({ type: 'provider', name: 'agui.step', data: { stepName: 'plan', status } });
    expect(parts).toEqual([step('started'), mark('m'), step('finished')]);
  });

  test('count the tokens that were written to a cache apart from the others', () => {
    const usage = [
      { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4, cacheWriteInputTokens: 3, reasoningTokens: 1 },
      { inputTokens: 1, outputTokens: 1 },
    ];
    const heard = read([started, finished({ usage })]);
    expect(heard.usage).toEqual({ input: 8, output: 3, cached: 4, cacheWritten: 3, reasoning: 1 });
  });

  test('end with an error for more parts than a page can show', () => {
    const steps = Array.from({ length: 20_001 }, () => ({ type: 'STEP_STARTED', stepName: 'x' }));
    expect(read([started, ...steps, finished()]).error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
  });

  test('read reasoning by its name before 1.0, and skip messages of other roles', () => {
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

  test('emit a remote tool that never ended', () => {
    const { parts, calls } = read([started, ...called('c1', 'search', '{}'), finished()]);
    expect(calls).toEqual([]);
    expect(parts).toEqual([
      mark('m1'),
      { type: 'provider', name: 'agui.tool', data: { toolCallId: 'c1', name: 'search', input: '{}' } },
    ]);
  });

  test('survive every kind of value in every field', () => {
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
        'snapshot',
        'stepName',
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

test('calls onEvent with every event unchanged, and an error of the callback does not end the run', () => {
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
