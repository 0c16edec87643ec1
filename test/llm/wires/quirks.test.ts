import { lastValueFrom, of, tap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { authorizeAnthropic } from '../../../src/llm/wires/anthropic/client.ts';
import { toAnthropicBody } from '../../../src/llm/wires/anthropic/request.ts';
import { toChatBody } from '../../../src/llm/wires/chat-completions/request.ts';
import type { LLMChunk } from '../../../src/core/model/llm.ts';
import { type ChatCompat, toCompat } from '../../../src/llm/wires/chat-completions/compat.ts';
import { unreachable } from '../../../src/llm/transport/stream-errors.ts';
import { classifyError } from '../../../src/llm/transport/classify-error.ts';
import { toList, toObject } from '../../../src/core/model/read-json.ts';
import { toReplyEvents } from '../../../src/core/session/reply.ts';
import { createScriptedClient, reply } from '../../../src/testing/scripted.ts';
import { withThinkTags } from '../../../src/llm/middleware/think-tags.ts';
import type { Message, Part, Role, ToolPart } from '../../../src/core/model/message.ts';
import { bytes, call, createListener, delta, frame, hear, hearChat } from '../../support/llm-answer.ts';

const done = delta({}, 'stop');
const fn = (name: unknown, input: unknown): object => ({ function: { name, arguments: input } });
const callsOf = (events: readonly object[]): string[] =>
  hearChat([...events, delta({}, 'tool_calls')]).calls.map(({ name, inputText }) => `${name} ${inputText}`);

const say = (text: string): Part => ({ type: 'text', text });
const message = (role: Role, ...content: Part[]): Message => ({ id: 'm', role, content, timestamp: 0 });
const toolPart = (fields: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c1',
  name: 'f',
  status: 'succeeded',
  inputText: '{}',
  input: {},
  output: 1,
  ...fields,
});
/** A reply as it is sent back to the service. */
const wire = (content: readonly Part[], compat: ChatCompat = {}) =>
  toList(toChatBody({ sessionId: 's', messages: [message('assistant', ...content)] }, 'm', compat).messages);

function eventsOf(chunks: readonly LLMChunk[]): readonly object[] {
  const events: object[] = [];
  let ids = 0;
  toReplyEvents(of(...chunks, { type: 'finish', reason: 'tool-calls' } as const), () => `ours-${(ids += 1)}`).subscribe(
    (event) => events.push(event),
  );
  return events.slice(0, -1);
}

// Real deviations of services that are compatible with chat completions. Each test is the deviation of at least one service.
describe('quirk', () => {
  test('1: ignores comments, and comments wrapped into data', () => {
    const text = `: OPENROUTER PROCESSING\n\ndata: : OPENROUTER PROCESSING\n\n${frame([delta({ content: 'hi' }), done])}`;
    expect(hear([bytes(text)])).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('2: ignores empty data and pings', () => {
    expect(hear([bytes(`data:\n\nevent: ping\ndata: {}\n\n${frame([delta({ content: 'hi' }), done])}`)])).toMatchObject(
      { text: 'hi' },
    );
  });

  test('3: reads a stream with no choices at first, and a choice without delta', () => {
    const events = [
      { choices: [], prompt_filter_results: [] },
      { choices: [{ index: 0, content_filter_results: {} }] },
      delta({ content: 'hi' }),
      done,
    ];
    expect(hearChat(events)).toMatchObject({ text: 'hi' });
  });

  const usage = {
    prompt_tokens: 3,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 1 },
  };

  test.each<[string, object[]]>([
    ['with no choices', [{ choices: [], usage }]],
    ['with choices null', [{ choices: null, usage }]],
    [
      'on every chunk, the last counts',
      [
        { ...delta({ content: 'a' }), usage: { prompt_tokens: 1, completion_tokens: 1 } },
        { choices: [], usage },
      ],
    ],
    ['in the choice', [{ choices: [{ index: 0, delta: {}, usage }] }]],
    ['in x_groq', [{ choices: [], x_groq: { usage } }]],
    [
      'followed by usage null',
      [
        { choices: [], usage },
        { choices: [], usage: null },
      ],
    ],
  ])('4: reads usage %s', (_, events) => {
    expect(hearChat([...events, done]).usage).toEqual({ input: 3, output: 5, cached: 2, reasoning: 1 });
  });

  test('4: reads invalid usage as zero', () => {
    expect(hearChat([{ usage: { prompt_tokens: -1, completion_tokens: '7' } }, done]).usage).toEqual({
      input: 0,
      output: 0,
    });
  });

  test('5: assigns pieces of calls without an index by id, else to the open call (Gemini)', () => {
    const byId = [
      call({ id: 'a', ...fn('f', '{') }),
      call({ id: 'b', ...fn('g', '{') }),
      call({ id: 'a', ...fn(null, '}') }),
    ];
    expect(callsOf([...byId, call({ id: 'b', ...fn(null, '}') })])).toEqual(['f {}', 'g {}']);
    expect(callsOf([call(fn('f', '{"x"')), call(fn(undefined, ':1}'))])).toEqual(['f {"x":1}']);
  });

  test('6: sends opaque fields of a call back with it', () => {
    const extra_content = { google: { thought_signature: 'abc' } };
    const [heard] = hearChat([call({ index: 0, id: 'a', extra_content, ...fn('f', '{}') }), done]).calls;
    expect(heard?.provider).toEqual({ 'chat-completions': { extra_content } });
    const sent = wire([toolPart({ provider: { 'chat-completions': { extra_content } } })]);
    expect(sent[0]).toMatchObject({ tool_calls: [{ extra_content, type: 'function' }] });
  });

  test('7: lets calls win over finish_reason stop', () => {
    const events = [call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), done];
    expect(hearChat(events)).toMatchObject({ finish: 'tool-calls', raw: 'stop' });
    expect(hearChat([delta({ content: 'x' }, 'tool_calls')])).toMatchObject({ finish: 'stop', raw: 'tool_calls' });
  });

  test('8: keeps the finish reason length, though there are calls', () => {
    const events = [call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } }), delta({}, 'length')];
    expect(hearChat(events)).toMatchObject({ finish: 'length', calls: [{ inputText: '{"x' }] });
  });

  test('8: … and stores no input for a call that was cut off, so the call is never run', () => {
    expect(eventsOf([{ type: 'call-end', index: 0, name: 'f', inputText: '{"x' }])[0]).not.toHaveProperty('input');
  });

  test.each<[string, object[], string[]]>([
    [
      'all at index 0',
      [call({ index: 0, id: 'a', ...fn('f', '{}') }), call({ index: 0, id: 'b', ...fn('g', '{}') })],
      ['f {}', 'g {}'],
    ],
    [
      'from index 1',
      [call({ index: 1, id: 'a', ...fn('f', '{}') }), call({ index: 2, id: 'b', ...fn('g', '{}') })],
      ['f {}', 'g {}'],
    ],
    [
      'with an index as text',
      [call({ index: '0', id: 'a', ...fn('f', '{') }), call({ index: '0', ...fn('', '}') })],
      ['f {}'],
    ],
    [
      'with a new id for each piece',
      [call({ index: 0, id: 'a', ...fn('f', '{') }), call({ index: 0, id: 'b', ...fn('f', '}') })],
      ['f {}'],
    ],
  ])('9: separates parallel calls %s', (_, events, expected) => {
    expect(callsOf(events)).toEqual(expected);
  });

  test.each([undefined, null, ''])('10: a call whose id is %j gets one that stays', (id) => {
    const { calls } = hearChat([call({ index: 0, id, ...fn('f', '{}') }), done]);
    expect(calls).toEqual([{ name: 'f', inputText: '{}' }]);
    const ids = eventsOf([
      { type: 'call', index: 0, name: 'f', text: '{' },
      { type: 'call-end', index: 0, name: 'f', inputText: '{}' },
    ]);
    expect(ids).toMatchObject([{ callId: 'ours-1' }, { callId: 'ours-1' }]);
  });

  test.each([
    ['an empty id and name', { id: '', ...fn('', '}') }],
    ['null', { id: null, ...fn(null, '}') }],
    ['the full name', { id: 'a', ...fn('f', '}') }],
  ])('11: continues a call with a piece that repeats %s', (_, piece) => {
    expect(callsOf([call({ index: 0, id: 'a', ...fn('f', '{') }), call({ index: 0, ...piece })])).toEqual(['f {}']);
  });

  test('12: accepts the name first and the input later, or the reverse', () => {
    expect(callsOf([call({ index: 0, id: 'a', ...fn('f', '') }), call({ index: 0, ...fn(undefined, '{}') })])).toEqual([
      'f {}',
    ]);
    expect(callsOf([call({ index: 0, ...fn(undefined, '{') }), call({ index: 0, id: 'a', ...fn('f', '}') })])).toEqual([
      'f {}',
    ]);
  });

  test.each<[unknown, string]>([
    [{ x: [1] }, '{"x":[1]}'],
    ['', '{}'],
    [null, '{}'],
    [undefined, '{}'],
  ])('13: reads input sent as %j', (input, text) => {
    expect(callsOf([call({ index: 0, id: 'a', ...fn('f', input) })])).toEqual([`f ${text}`]);
  });

  test('14: errors with an excerpt for a call written as text', () => {
    const error = {
      message: 'Failed to call a function.',
      code: 'tool_use_failed',
      failed_generation: '<function=f{"x":1}>',
    };
    const heard = hearChat([{ error }]);
    expect(heard.error).toMatchObject({ code: 'LLM_API_ERROR', retryable: true });
    expect(heard.error?.message).toContain('<function=f');
  });

  test('15: reads content in parts, with reasoning among them', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'hi' },
      { type: 'reference', reference_ids: [1] },
    ];
    expect(hearChat([delta({ content }), done])).toMatchObject({ text: 'hi', reasoning: 'hm' });
  });

  test('15: emits no empty pieces', () => {
    const heard = hearChat([
      delta({ content: '' }),
      delta({ content: null, reasoning_content: '' }),
      delta({ content: 'hi' }),
      done,
    ]);
    expect(heard).toMatchObject({ text: 'hi', reasoning: '' });
  });

  test.each(['reasoning_content', 'reasoning', 'reasoning_text'])('16: reasoning in %s', (field) => {
    expect(hearChat([delta({ [field]: 'hm' }), done])).toMatchObject({ reasoning: 'hm', text: '' });
  });

  test('16: reads two reasoning fields at once as one, and keeps the details after it', () => {
    const events = [
      delta({
        reasoning: 'h',
        reasoning_content: 'h',
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'h' }],
      }),
      delta({ reasoning: 'm', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'm', signature: 's' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }),
      delta({ content: 'hi' }),
      done,
    ];
    expect(hearChat(events)).toMatchObject({
      reasoning: 'hm',
      text: 'hi',
      providers: [
        {
          'chat-completions': {
            reasoning_details: [
              { type: 'reasoning.text', index: 0, text: 'hm', signature: 's' },
              { type: 'reasoning.encrypted', data: 'x' },
            ],
          },
        },
      ],
    });
  });

  test('17: sends reasoning back always, with calls only, or never, as configured', () => {
    const thought: Part = { type: 'reasoning', text: 'hm' };
    const both = (compat: ChatCompat): unknown[] => [
      wire([thought, toolPart()], compat)[0],
      wire([thought, say('hi')], compat)[0],
    ];
    expect(both({ reasoning: 'keep' })).toMatchObject([{ reasoning_content: 'hm' }, { reasoning_content: 'hm' }]);
    expect(both({ reasoning: 'keep', reasoningField: 'reasoning' })[0]).toMatchObject({ reasoning: 'hm' });
    expect(both(toCompat('api.deepseek.com'))[0]).toMatchObject({ reasoning_content: 'hm' });
    expect(JSON.stringify([both(toCompat('api.deepseek.com'))[1], both({})])).not.toContain('hm');
  });

  test('18: turns <think> in the content into reasoning, however it is cut', async () => {
    for (let size = 1; size <= 20; size += 1) {
      const client = withThinkTags(createScriptedClient([reply.text('a<think>b</think>c', { size })]));
      const { heard, emit } = createListener();
      await lastValueFrom(client.sendRequest({ sessionId: 's', messages: [] }).pipe(tap(emit)));
      expect(heard).toMatchObject({ text: 'ac', reasoning: 'b' });
    }
  });

  test('19: accepts missing, null or repeated roles, ids, dates and models', () => {
    const events = [
      { id: null, created: 'x', model: null, choices: [{ delta: { role: null, content: 'a' } }] },
      { choices: [{ delta: { role: 'assistant', content: 'b' } }], model: 'm' },
      done,
    ];
    expect(hearChat(events)).toMatchObject({ text: 'ab', model: 'm' });
  });

  test('20: emits content in the finishing chunk first', () => {
    expect(hearChat([delta({ content: 'hi' }, 'stop')])).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('20: emits input in the finishing chunk first', () => {
    const events = [
      call({ index: 0, id: 'a', ...fn('f', '{"x"') }),
      delta({ tool_calls: [{ index: 0, ...fn(undefined, ':1}') }] }, 'tool_calls'),
    ];
    expect(callsOf(events)).toEqual(['f {"x":1}']);
  });

  test.each([
    ['stop', 'stop'],
    ['eos', 'stop'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['sensitive', 'content-filter'],
    ['model_context_window_exceeded', 'length'],
    ['something_new', 'other'],
    ['__proto__', 'other'],
  ])('21: maps finish_reason %s to %s', (raw, finish) => {
    expect(hearChat([delta({ content: 'hi' }), delta({}, raw)])).toMatchObject({ finish, raw });
  });

  test.each(['error', 'network_error'])('21: finish_reason %s is a failure to be retried', (raw) => {
    const heard = hearChat([delta({ content: 'hi' }), delta({}, raw)]);
    expect(heard).toMatchObject({ text: 'hi', error: { code: 'LLM_API_ERROR', retryable: true } });
  });

  test('21: ignores finish_reason ""', () => {
    expect(hearChat([delta({ content: 'hi' }, '')], { done: false }).error).toMatchObject({
      code: 'STREAM_INTERRUPTED',
    });
    expect(hearChat([delta({ content: 'hi' }, '')])).toMatchObject({ finish: 'unknown' });
  });

  test.each<[string, string, string]>([
    ['an object', 'data: {"error":{"message":"slow down","code":429}}', 'RATE_LIMIT_EXCEEDED'],
    ['a text', 'data: {"error":"prompt is too long"}', 'CONTEXT_OVERFLOW'],
    ['with its code as a text', 'data: {"error":{"message":"x","code":"502"}}', 'LLM_API_ERROR'],
    ['in a field error: (llama.cpp)', 'error: {"code":500,"message":"oops","type":"server_error"}', 'LLM_API_ERROR'],
    [
      'under event: error (LM Studio)',
      'event: error\ndata: {"error":{"message":"oops","type":"server_error"}}',
      'LLM_API_ERROR',
    ],
    [
      'under event: error (Anthropic)',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'OVERLOADED',
    ],
    [
      'in a list (Google)',
      'data: [{"error":{"code":401,"message":"bad key","status":"UNAUTHENTICATED"}}]',
      'AUTHENTICATION_FAILED',
    ],
    ['as text under event: error', 'event: error\ndata: it broke', 'LLM_API_ERROR'],
  ])('22: errors with a code for an error in the middle, %s, after the chunks before it', (_, line, code) => {
    const heard = hear([bytes(`${frame([delta({ content: 'hi' })], { done: false })}${line}\n\n`)]);
    expect(heard).toMatchObject({ text: 'hi', error: { code } });
    expect(heard.finish).toBeUndefined();
  });

  test('22: redacts keys in an error in the middle', () => {
    const heard = hearChat([
      { error: { message: 'bad sk-canary-0123456789, or gsk_abcdefgh', param: 'sk-canary-0123456789' } },
    ]);
    expect(heard.error?.message).not.toMatch(/canary|abcdefgh/);
  });

  test('23: reads two documents in one event', () => {
    const [a, b] = [JSON.stringify(delta({ content: 'a}{' })), JSON.stringify(delta({ content: 'b' }, 'stop'))];
    expect(hear([bytes(`data: ${a}\ndata: ${b}\n\ndata: [DONE]\n\n`)])).toMatchObject({ text: 'a}{b', finish: 'stop' });
    expect(hear([bytes(`data: ${a}${b}\n\ndata: [DONE]\n\n`)])).toMatchObject({ text: 'a}{b', finish: 'stop' });
    expect(hear([bytes(`data: ${a}\ndata: ${b}\ndata: [DONE]\n\n`)])).toMatchObject({ text: 'a}{b', finish: 'stop' });
  });

  test('23: errors for an event that is not JSON, with its position and without its text', () => {
    const heard = hearChat([delta({ content: 'hi' }), '{"choices": secret']);
    expect(heard).toMatchObject({ text: 'hi', error: { code: 'STREAM_MALFORMED' } });
    expect(heard.error?.message).toContain('event 2');
    expect(heard.error?.message).not.toContain('secret');
  });

  test('24: ignores everything after [DONE]', () => {
    expect(
      hear([
        bytes(`${frame([delta({ content: 'hi' }), done])}data: garbage\n\n${frame([delta({ content: 'more' })])}`),
      ]),
    ).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('25: emits refusals as text, and ignores other choices', () => {
    expect(hearChat([delta({ refusal: 'no' }), done])).toMatchObject({ text: 'no' });
    expect(
      hearChat([
        {
          choices: [
            { index: 1, delta: { content: 'b' } },
            { index: 0, delta: { content: 'a' } },
          ],
        },
        done,
      ]),
    ).toMatchObject({ text: 'a' });
  });

  test('25: reads the old function_call as a call, and ignores audio ids and probabilities', () => {
    const events = [
      delta({ function_call: { name: 'f', arguments: '{"x"' } }),
      {
        choices: [
          {
            index: 0,
            delta: { function_call: { arguments: ':1}' }, audio: { data: 'AA' } },
            logprobs: { content: [] },
          },
        ],
      },
      delta({}, 'function_call'),
    ];
    expect(hearChat(events)).toMatchObject({
      text: '',
      calls: [{ name: 'f', inputText: '{"x":1}' }],
      finish: 'tool-calls',
    });
  });

  test('26: errors for a full context window before the first chunk, and finishes with length after it', () => {
    expect(hearChat([delta({}, 'model_context_window_exceeded')]).error).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  });

  test('26: errors with CONTEXT_OVERFLOW for a finish of length without any output', () => {
    const silent = (completion_tokens: number): object[] => [
      delta({}, 'length'),
      { choices: [], usage: { prompt_tokens: 9, completion_tokens } },
    ];
    expect(hearChat(silent(0)).error).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
    // Hidden reasoning used all the tokens: the context window is not full.
    expect(hearChat(silent(5))).toMatchObject({ finish: 'length', text: '' });
    expect(hearChat([delta({ content: 'a' }, 'length')])).toMatchObject({ finish: 'length', text: 'a' });
  });

  test.each<[string, number, string]>([
    ['in words', 400, '{"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}'],
    ['as 413', 413, '{"error":{"message":"Request Entity Too Large"}}'],
    ['as 413 without a word (Cerebras)', 413, ''],
    ['as 400 without a word (Cerebras)', 400, ''],
  ])('26: classifies a full context window %s', (_, status, body) => {
    const host = body === '' ? 'api.cerebras.ai' : 'api.test';
    expect(classifyError({ host, status, body }, 0)).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  });

  test('27: renames or omits fields as configured in compat', () => {
    const request = {
      sessionId: 's',
      maxTokens: 5,
      messages: [message('system', say('be good')), message('assistant', toolPart())],
    };
    const plain = toChatBody(request, 'm', {});
    expect(plain).toMatchObject({
      max_tokens: 5,
      stream_options: { include_usage: true },
      messages: [{ role: 'system' }, { content: null }, {}],
    });
    expect(JSON.stringify(plain)).not.toMatch(/"(store|strict|name":"f","content)"/);
    const odd: ChatCompat = {
      maxTokens: 'max_completion_tokens',
      systemRole: 'developer',
      streamOptions: false,
      noContent: '',
      resultName: true,
      shortCallIds: true,
    };
    const body = toChatBody(request, 'm', odd);
    expect(body).toMatchObject({
      max_completion_tokens: 5,
      messages: [{ role: 'developer' }, { content: '' }, { name: 'f' }],
    });
    expect(JSON.stringify(body)).toMatch(/"tool_call_id":"[a-z\d]{9}"/);
    expect(body.stream_options).toBeUndefined();
  });

  test('27: sends call ids of at most 40 characters, the same in call and result', () => {
    const [asked, result] = wire([toolPart({ callId: 'x'.repeat(99) })]);
    expect(result).toMatchObject({ tool_call_id: expect.stringMatching(/^[\w-]{1,40}$/) });
    expect(JSON.stringify(asked)).toContain(JSON.stringify(toObject(result).tool_call_id));
  });

  test('28: sends a token limit and the header for pages to Anthropic', () => {
    expect(toAnthropicBody({ sessionId: 's', messages: [] }, { maxTokens: 8_192, cache: false })).toMatchObject({
      max_tokens: 8_192,
    });
    expect(authorizeAnthropic('k')).toMatchObject({
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-api-key': 'k',
    });
  });

  test('28: names CORS in the error of a request without an answer', () => {
    const { code, message } = unreachable('localhost:11434', new TypeError('Failed to fetch'));
    expect(code).toBe('NETWORK_ERROR');
    expect(message).toMatch(/CORS.*OLLAMA_ORIGINS/);
  });
});
