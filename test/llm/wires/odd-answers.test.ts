import { describe, expect, test } from 'vitest';
import { isFailure, toFinishReason } from '../../../src/llm/transport/finish-reason.ts';
import { createChatReader } from '../../../src/llm/wires/chat-completions/response.ts';
import { bytes, delta, frame, hear, hearChat } from '../../support/llm-answer.ts';

// What services that are compatible with chat completions really answer: public reports of other projects, and variations.

const done = delta({}, 'stop');

describe('a reason', () => {
  test.each([
    ['MAX_TOKENS', 'length'],
    ['LENGTH', 'length'],
    ['FinishReason.MAX_TOKENS', 'length'],
    ['model_length', 'length'],
    ['max_completion_tokens', 'length'],
    ['ERROR_LIMIT', 'length'],
    ['STOP', 'stop'],
    ['COMPLETE', 'stop'],
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['TOOL_CALLS', 'stop'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['SPII', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['ERROR_TOXIC', 'content-filter'],
    ['guardrail_intervened', 'content-filter'],
    ['LANGUAGE', 'other'],
  ])('%s is %s (QwenLM/qwen-code#9882)', (raw, finish) => {
    expect(toFinishReason(raw, false)).toBe(finish);
    expect(isFailure(raw)).toBe(false);
    expect(hearChat([delta({ content: 'a' }), delta({}, raw)])).toMatchObject({ text: 'a', finish, raw });
  });

  test.each([
    'malformed_function_call',
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    // What Gemini's compatible endpoint writes.
    'function_call_filter: MALFORMED_FUNCTION_CALL',
    'function_call_filter: UNEXPECTED_TOOL_CALL',
    'function_call_filter',
    'TOO_MANY_TOOL_CALLS',
    'MISSING_THOUGHT_SIGNATURE',
    'insufficient_system_resource',
    'ERROR',
    'abort',
    'cancelled',
  ])('%s is a failure, and no call of the answer runs (NousResearch/hermes-agent#83886)', (raw) => {
    const broken = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] };
    expect(hearChat([delta(broken), delta({}, raw)])).toMatchObject({ calls: [], error: { code: 'LLM_API_ERROR' } });
  });
});

describe('an error within an answer', () => {
  test.each<[string, object]>([
    ['x_groq.error', { ...delta({}), x_groq: { id: 'r', error: 'over capacity' } }],
    ['base_resp (MiniMax)', { base_resp: { status_code: 1013, status_msg: 'server broke' } }],
    ['code and message (DashScope)', { code: 'InternalError', message: 'it broke', request_id: 'r' }],
    ['a numeric code (SiliconFlow)', { code: 20015, message: 'it broke', data: null }],
    ['error_code (Baidu)', { error_code: 336100, error_msg: 'it broke' }],
    ['the choice (OpenRouter)', { choices: [{ index: 0, delta: {}, error: { code: 502, message: 'it broke' } }] }],
  ])('is in %s', (_, event) => {
    const heard = hearChat([delta({ content: 'Hel' }), event]);
    expect(heard).toMatchObject({ text: 'Hel', error: { name: 'AgentError' } });
    expect(heard.finish).toBeUndefined();
  });

  test('is none where the code is that of success', () => {
    const events = [
      delta({ content: 'a' }),
      { ...done, base_resp: { status_code: 0, status_msg: '' } },
      { code: 0, message: 'ok' },
    ];
    expect(hearChat(events)).toMatchObject({ text: 'a', finish: 'stop' });
  });
});

describe('a choice', () => {
  const choices = (...indexes: unknown[]): object[] =>
    indexes.map((index, n) => ({ choices: [{ index, delta: { content: 'abc'[n] } }] }));

  test.each([[[0, 1, 2]], [[3, 4, 5]], [['1', '2', '3']], [[-1, -1, -1]], [[null, null, null]]])(
    'alone in its chunk counts under the indexes %j (microsoft/foundry-local#144)',
    (indexes) => {
      expect(hearChat([...choices(...indexes), done])).toMatchObject({ text: 'abc', finish: 'stop' });
    },
  );

  test('counts by its index where the request asks for several', () => {
    const heard = hear([bytes(frame([...choices(0, 1, 0), done]))], (options) =>
      createChatReader({ ...options, hasChoices: true }),
    );
    expect(heard.text).toBe('ac');
  });
});

describe('content', () => {
  test('may have digits as numbers, in text and in reasoning (cloudflare/ai#651)', () => {
    const pieces = ['It costs $', 0.005, ' [', 1, ']', 0, false].map((content) => delta({ content }));
    expect(hearChat([...pieces, done]).text).toBe('It costs $0.005 [1]0false');
    const thoughts = ['n = ', 0, 7].map((reasoning_content) => delta({ reasoning_content }));
    expect(hearChat([...thoughts, done]).reasoning).toBe('n = 07');
    const blocks = [
      delta({
        content: [
          { type: 'text', text: 4 },
          { type: 'text', text: 2 },
        ],
      }),
    ];
    expect(hearChat([...blocks, done]).text).toBe('42');
  });

  const call = { id: 'c', function: { name: 'f', arguments: '{}' } };
  test.each<[string, object[], object]>([
    [
      'calls after text',
      [
        delta({ content: 'a' }),
        { choices: [{ message: { content: 'a', tool_calls: [call] }, finish_reason: 'tool_calls' }] },
      ],
      { text: 'a', calls: [{ name: 'f' }] },
    ],
    [
      'text after reasoning',
      [
        delta({ reasoning_content: 'hm' }),
        { choices: [{ delta: {}, message: { reasoning_content: 'hm', content: 'a' }, finish_reason: 'stop' }] },
      ],
      { text: 'a', reasoning: 'hm' },
    ],
    [
      'everything again',
      [
        delta({ content: 'a' }),
        delta({ tool_calls: [{ index: 0, ...call }] }),
        { choices: [{ delta: {}, message: { content: 'a', tool_calls: [call] }, finish_reason: 'stop' }] },
      ],
      { text: 'a', calls: [{ name: 'f' }] },
    ],
  ])('may be in a whole message at the end: %s', (_, events, expected) => {
    expect(hearChat(events)).toMatchObject(expected);
  });

  test('of reasoning details is separated where the index changes', () => {
    const detail = (index: number, summary: string): object =>
      delta({ reasoning_details: [{ type: 'reasoning.summary', index, summary }] });
    expect(hearChat([detail(0, '**Pl'), detail(0, 'an**'), detail(1, '**Check**'), done]).reasoning).toBe(
      '**Plan**\n\n**Check**',
    );
    const both = delta({
      reasoning: '**Check**',
      reasoning_details: [{ type: 'reasoning.summary', index: 1, summary: '**Check**' }],
    });
    expect(hearChat([detail(0, '**Plan**'), both, done]).reasoning).toBe('**Plan**\n\n**Check**');
  });
});
