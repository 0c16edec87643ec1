import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { createChatReader } from '../../../src/llm/wires/chat-completions/response.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { createAGUIReader } from '../../../src/agui/decode.ts';
import { bytes, call, delta, frame, hear, hearChat } from '../../support/llm-answer.ts';

const interrupted = { code: 'STREAM_INTERRUPTED' };
const hearAGUI = (events: readonly object[], options: { done?: boolean } = {}) =>
  hear([bytes(frame(events, options))], (reading) =>
    createAGUIReader({
      ...reading,
      tools: new Set(),
      state: {},
      openCalls: new Map(),
      endedCalls: new Set(),
      knownMessages: new Set(),
    }),
  );
const hearAnthropic = (events: readonly object[], options: { done?: boolean } = {}) =>
  hear([bytes(frame(events, options))], createAnthropicReader);
const hearResponses = (events: readonly object[], options: { done?: boolean } = {}) =>
  hear([bytes(frame(events, options))], createResponsesReader);

const anthropicCall = [
  { type: 'message_start', message: { model: 'm', usage: { input_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'pay', input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"sum":1}' } },
];
const anthropicEnd = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
const item = { type: 'function_call', call_id: 'c', name: 'pay' };
const responsesCall = [
  { type: 'response.created', response: { status: 'in_progress', model: 'm' } },
  { type: 'response.output_item.added', output_index: 0, item },
  { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"sum":1}' },
];
const responsesEnd = [{ type: 'response.completed', response: { status: 'completed' } }];

describe('[DONE] of a relay', () => {
  test('does not end the answer of a wire that has another end mark', () => {
    const started = [
      { type: 'RUN_STARTED' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half' },
    ];
    for (const heard of [hearAnthropic(anthropicCall), hearResponses(responsesCall), hearAGUI(started)]) {
      expect(heard).toMatchObject({ calls: [], error: interrupted });
      expect(heard.finish).toBeUndefined();
    }
  });

  test('after the end of the wire changes nothing', () => {
    expect(hearAnthropic([...anthropicCall, ...anthropicEnd])).toMatchObject({ finish: 'tool-calls' });
    expect(hearResponses([...responsesCall, ...responsesEnd])).toMatchObject({ finish: 'tool-calls' });
  });
});

describe('a second answer in the same stream, which is cut', () => {
  test('is an interruption on each wire that allows it', () => {
    const runs = [
      { type: 'RUN_STARTED' },
      { type: 'RUN_FINISHED' },
      { type: 'RUN_STARTED' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half' },
    ];
    for (const done of [true, false]) {
      expect(hearAnthropic([...anthropicCall, ...anthropicEnd, ...anthropicCall], { done }).error).toMatchObject(
        interrupted,
      );
      expect(hearResponses([...responsesCall, ...responsesEnd, ...responsesCall], { done }).error).toMatchObject(
        interrupted,
      );
      expect(hearAGUI(runs, { done }).error).toMatchObject(interrupted);
    }
  });
});

describe('a body of JSON that is no complete answer', () => {
  test.each([
    [
      'Messages',
      createAnthropicReader,
      { type: 'message', content: [{ type: 'text', text: 'half' }], stop_reason: null },
    ],
    ['Messages', createAnthropicReader, {}],
    ['Responses', createResponsesReader, { object: 'response', status: 'in_progress', output: [] }],
    ['Responses', createResponsesReader, { ok: true }],
    ['chat completions', createChatReader, { ok: true }],
    ['chat completions', createChatReader, { choices: [] }],
  ])('errors on the wire %s', (_, createReader, body) => {
    const heard = hear([bytes(JSON.stringify(body))], createReader);
    expect(heard.error).toMatchObject({ code: 'STREAM_MALFORMED' });
    expect(heard.finish).toBeUndefined();
  });
});

describe('chat completions that end without a finish reason', () => {
  const said = delta({ content: 'hi' });
  const called = call({ index: 0, id: 'c', function: { name: 'pay', arguments: '{}' } });

  test('have the finish "unknown" at [DONE], with or without calls: nobody has stated that the model was done', () => {
    expect(hearChat([said])).toMatchObject({ text: 'hi', finish: 'unknown' });
    expect(hearChat([called])).toMatchObject({ calls: [{ name: 'pay' }], finish: 'unknown' });
  });

  test('are an interruption at [DONE] where no document contained an answer', () => {
    expect(hearChat([]).error).toMatchObject({ ...interrupted, retryable: true });
  });

  test('have the finish "unknown" in one document', () => {
    const heard = hear([bytes(JSON.stringify({ choices: [{ message: { content: 'hi' } }] }))]);
    expect(heard).toMatchObject({ text: 'hi', finish: 'unknown' });
  });

  test('are complete at [DONE] where the service is known to state no reason', () => {
    const hearThere = (events: readonly object[]) =>
      hear([bytes(frame(events))], (reading) => createChatReader(reading, { finishReason: false }));
    expect(hearThere([said])).toMatchObject({ text: 'hi', finish: 'stop' });
    expect(hearThere([called])).toMatchObject({ finish: 'tool-calls' });
  });

  test('are an interruption without [DONE], also where the service is known to state no reason', () => {
    const heard = hear([bytes(frame([said], { done: false }))], (reading) =>
      createChatReader(reading, { finishReason: false }),
    );
    expect(heard.error).toMatchObject(interrupted);
  });
});

describe('an answer that the output limit cut off after the name of a call', () => {
  const chat = (finish: string) =>
    hearChat([call({ index: 0, id: 'c', function: { name: 'wipe' } }), delta({}, finish)]).calls;
  const anthropic = (stop_reason: string) =>
    hearAnthropic([
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'wipe', input: {} } },
      { type: 'message_delta', delta: { stop_reason } },
    ]).calls;

  test('has a call without an input, not a call with an empty input', () => {
    expect([...chat('length'), ...anthropic('max_tokens')]).toMatchObject([{ inputText: '' }, { inputText: '' }]);
    expect([...chat('tool_calls'), ...anthropic('tool_use')]).toMatchObject([{ inputText: '{}' }, { inputText: '{}' }]);
  });

  test('has complete earlier calls', () => {
    const earlier = call({ index: 0, id: 'a', function: { name: 'list' } });
    const cut = call({ index: 1, id: 'b', function: { name: 'wipe' } });
    expect(hearChat([earlier, cut, delta({}, 'length')]).calls).toMatchObject([{ inputText: '{}' }, { inputText: '' }]);
  });
});
