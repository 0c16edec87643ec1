import { describe, expect, test } from 'vitest';
import { bytes, call, delta, frame, hear, hearChat } from '../../support/llm-answer.ts';

const done = delta({}, 'stop');

describe('quirks of /chat/completions (WIRE §2)', () => {
  test('1: comments, and comments wrapped into data, are nothing', () => {
    const text = `: OPENROUTER PROCESSING\n\ndata: : OPENROUTER PROCESSING\n\n${frame([delta({ content: 'hi' }), done])}`;
    expect(hear([bytes(text)])).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('2: empty data and pings are nothing', () => {
    expect(hear([bytes(`data:\n\nevent: ping\ndata: {}\n\n${frame([delta({ content: 'hi' }), done])}`)])).toMatchObject(
      { text: 'hi' },
    );
  });

  test('3: no choices at first, and a choice without delta', () => {
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
  ])('4: usage %s', (_, events) => {
    expect(hearChat([...events, done]).usage).toEqual({ input: 3, output: 5, cached: 2, reasoning: 1 });
  });

  test('4: usage that is nonsense is zero', () => {
    expect(hearChat([{ usage: { prompt_tokens: -1, completion_tokens: '7' } }, done]).usage).toEqual({
      input: 0,
      output: 0,
    });
  });

  test('7: calls win over finish_reason stop', () => {
    const events = [call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), done];
    expect(hearChat(events)).toMatchObject({ finish: 'tool-calls', raw: 'stop' });
    expect(hearChat([delta({ content: 'x' }, 'tool_calls')])).toMatchObject({ finish: 'stop', raw: 'tool_calls' });
  });

  test('8: a finish of length stays one, though there are calls', () => {
    const events = [call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } }), delta({}, 'length')];
    expect(hearChat(events)).toMatchObject({ finish: 'length', calls: [{ inputText: '{"x' }] });
  });

  test('14: a call written as text is a typed error with an excerpt', () => {
    const error = {
      message: 'Failed to call a function.',
      code: 'tool_use_failed',
      failed_generation: '<function=f{"x":1}>',
    };
    const heard = hearChat([{ error }]);
    expect(heard.error).toMatchObject({ code: 'LLM_API_ERROR', retryable: true });
    expect(heard.error?.message).toContain('<function=f');
  });

  test('15: content in parts, thoughts among them', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'hi' },
      { type: 'reference', reference_ids: [1] },
    ];
    expect(hearChat([delta({ content }), done])).toMatchObject({ text: 'hi', reasoning: 'hm' });
  });

  test('15: empty pieces are not emitted', () => {
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

  test('16: two reasoning fields at once are one thought, and details are kept behind it', () => {
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

  test('19: roles, ids, dates and models may be missing, null or repeated', () => {
    const events = [
      { id: null, created: 'x', model: null, choices: [{ delta: { role: null, content: 'a' } }] },
      { choices: [{ delta: { role: 'assistant', content: 'b' } }], model: 'm' },
      done,
    ];
    expect(hearChat(events)).toMatchObject({ text: 'ab', model: 'm' });
  });

  test('20: content in the finishing chunk comes first', () => {
    expect(hearChat([delta({ content: 'hi' }, 'stop')])).toMatchObject({ text: 'hi', finish: 'stop' });
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
  ])('21: finish_reason %s is %s', (raw, finish) => {
    expect(hearChat([delta({ content: 'hi' }), delta({}, raw)])).toMatchObject({ finish, raw });
  });

  test.each(['error', 'network_error'])('21: finish_reason %s is a failure to be retried', (raw) => {
    const heard = hearChat([delta({ content: 'hi' }), delta({}, raw)]);
    expect(heard).toMatchObject({ text: 'hi', error: { code: 'LLM_API_ERROR', retryable: true } });
  });

  test('21: finish_reason "" is none', () => {
    expect(hearChat([delta({ content: 'hi' }, '')], { done: false }).error).toMatchObject({
      code: 'STREAM_INTERRUPTED',
    });
    expect(hearChat([delta({ content: 'hi' }, '')])).toMatchObject({ finish: 'stop' });
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
  ])('22: an error in the middle, %s, is typed and keeps what came', (_, line, code) => {
    const heard = hear([bytes(`${frame([delta({ content: 'hi' })], { done: false })}${line}\n\n`)]);
    expect(heard).toMatchObject({ text: 'hi', error: { code } });
    expect(heard.finish).toBeUndefined();
  });

  test('22: an error in the middle repeats no key', () => {
    const heard = hearChat([
      { error: { message: 'bad sk-canary-0123456789, or gsk_abcdefgh', param: 'sk-canary-0123456789' } },
    ]);
    expect(heard.error?.message).not.toMatch(/canary|abcdefgh/);
  });

  test('23: two documents in one event are both read', () => {
    const [a, b] = [JSON.stringify(delta({ content: 'a}{' })), JSON.stringify(delta({ content: 'b' }, 'stop'))];
    expect(hear([bytes(`data: ${a}\ndata: ${b}\n\ndata: [DONE]\n\n`)])).toMatchObject({ text: 'a}{b', finish: 'stop' });
    expect(hear([bytes(`data: ${a}${b}\n\ndata: [DONE]\n\n`)])).toMatchObject({ text: 'a}{b', finish: 'stop' });
    expect(hear([bytes(`data: ${a}\ndata: ${b}\ndata: [DONE]\n\n`)])).toMatchObject({ text: 'a}{b', finish: 'stop' });
  });

  test('23: an event that is not JSON is a typed error with its position and without its text', () => {
    const heard = hearChat([delta({ content: 'hi' }), '{"choices": secret']);
    expect(heard).toMatchObject({ text: 'hi', error: { code: 'STREAM_MALFORMED' } });
    expect(heard.error?.message).toContain('event 2');
    expect(heard.error?.message).not.toContain('secret');
  });

  test('24: what follows [DONE] means nothing', () => {
    expect(
      hear([
        bytes(`${frame([delta({ content: 'hi' }), done])}data: garbage\n\n${frame([delta({ content: 'more' })])}`),
      ]),
    ).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('25: refusals are text, other choices are not ours', () => {
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

  test('26: a full context window is a typed error where nothing came, and a length where something did', () => {
    expect(hearChat([delta({}, 'model_context_window_exceeded')]).error).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  });

  test('sources come as parts, each once', () => {
    const note = { type: 'url_citation', url_citation: { url: 'https://a.test', title: 'A' } };
    const events = [
      delta({ annotations: [note] }),
      {
        citations: ['https://b.test', 'https://a.test'],
        search_results: [{ url: 'https://b.test', title: 'B' }],
        choices: [],
      },
      done,
    ];
    expect(hearChat(events).parts).toEqual([
      { type: 'source', url: 'https://a.test', title: 'A' },
      { type: 'source', url: 'https://b.test', title: 'B' },
    ]);
  });
});

describe('the end of an answer', () => {
  const said = delta({ content: 'hi' });

  test('[DONE] is a success, also without a finish reason', () => {
    expect(hearChat([said])).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('a finish reason is a success, also without [DONE]', () => {
    expect(hearChat([said, done], { done: false })).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('closing without either is an interruption, to be retried only when nothing came', () => {
    expect(hearChat([said], { done: false })).toMatchObject({
      text: 'hi',
      error: { code: 'STREAM_INTERRUPTED', retryable: false },
    });
    expect(hearChat([], { done: false }).error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
  });

  test('an event cut off at the end is an interruption too, not broken JSON', () => {
    expect(hear([bytes(`${frame([said], { done: false })}data: {"choices":[{"del`)]).error).toMatchObject({
      code: 'STREAM_INTERRUPTED',
    });
  });

  test('every prefix of a stream is an interruption or the whole', () => {
    const all = bytes(
      frame([
        said,
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
        delta({}, 'tool_calls'),
      ]),
    );
    const outcomes = new Set<unknown>();
    for (let length = 0; length <= all.length; length += 1) {
      const heard = hear([all.subarray(0, length)]);
      outcomes.add(heard.error?.code ?? heard.finish);
    }
    expect([...outcomes]).toEqual(['STREAM_INTERRUPTED', 'tool-calls']);
  });
});

describe('a success that is no stream', () => {
  const message = {
    role: 'assistant',
    content: 'hi',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
    ],
  };
  const whole = {
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };

  test('one whole completion is the same answer', () => {
    const heard = hear([bytes(`\n${JSON.stringify(whole)}`)], undefined, { contentType: 'application/json' });
    expect(heard).toMatchObject({
      text: 'hi',
      calls: [
        { name: 'f', id: 'a' },
        { name: 'f', id: 'b' },
      ],
      finish: 'tool-calls',
      usage: { input: 1, output: 2 },
      model: 'm',
    });
  });

  test('a whole message after its pieces is not said twice', () => {
    expect(
      hearChat([delta({ content: 'hi' }), { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }]),
    ).toMatchObject({ text: 'hi' });
  });

  test('an error in JSON is typed', () => {
    expect(hear([bytes('{"error":{"message":"no","type":"authentication_error"}}')]).error).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
  });

  test.each([
    ['a web page', '<!doctype html><p>Sign in'],
    ['a byte order mark and a web page', '\ufeff  <html>'],
    ['plain text', 'Hello there\n\n'],
    ['broken JSON', '{"choices": ['],
    ['a JSON list', '[1, 2]'],
  ])('%s is a typed error', (_, text) => {
    expect(hear([bytes(text)]).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });

  test('a stream that calls itself a web page is one', () => {
    expect(hear([bytes('hello')], undefined, { contentType: 'text/html' }).error).toMatchObject({
      code: 'STREAM_MALFORMED',
    });
  });
});

describe('what is no text', () => {
  const png = 'data:image/png;base64,AAAA';

  test('images come as parts, inside the text where they stand there', () => {
    const heard = hearChat([
      delta({ content: 'Here: ' }),
      delta({ images: [{ type: 'image_url', image_url: { url: png } }] }),
      delta({ content: [{ type: 'image_url', image_url: { url: 'https://a.test/b.png' } }] }),
      delta({ images: [{}, { image_url: null }] }, 'stop'),
    ]);
    expect(heard).toMatchObject({
      text: 'Here: ',
      parts: [
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
        { type: 'image', url: 'https://a.test/b.png' },
      ],
      finish: 'stop',
    });
    expect(heard.parts).toHaveLength(2);
  });

  test('a sound comes as one part, with what is said in it as text', () => {
    const samples = 'abcdefg';
    const heard = hearChat([
      delta({ audio: { id: 'a', transcript: 'Hel' } }),
      // Padded in the middle: each piece is base64 of its own.
      delta({ audio: { data: btoa(samples.slice(0, 4)) } }),
      delta({ audio: { data: btoa(samples.slice(4)), transcript: 'lo' } }),
      delta({ audio: { expires_at: 1 } }, 'stop'),
    ]);
    expect(heard).toMatchObject({
      text: 'Hello',
      parts: [{ type: 'audio', mediaType: 'audio/pcm;rate=24000', data: btoa(samples) }],
    });
    const wav = {
      choices: [{ message: { audio: { data: btoa('RIFF…'.slice(0, 4)), transcript: 'Hi' } }, finish_reason: 'stop' }],
    };
    expect(hear([bytes(JSON.stringify(wav))])).toMatchObject({ text: 'Hi', parts: [{ mediaType: 'audio/wav' }] });
  });

  test('a sound that is none ends in a typed error', () => {
    expect(hearChat([delta({ audio: { data: '%' } }, 'stop')]).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });
});
