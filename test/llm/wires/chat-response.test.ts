import { describe, expect, test } from 'vitest';
import { bytes, call, delta, frame, hear, hearChat } from '../../support/llm-answer.ts';

const done = delta({}, 'stop');

describe('an answer of /chat/completions', () => {
  test('emits sources as parts, each once', () => {
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

  test('completes at [DONE], also without a finish reason', () => {
    expect(hearChat([said])).toMatchObject({ text: 'hi', finish: 'unknown' });
  });

  test('completes with a finish reason, also without [DONE]', () => {
    expect(hearChat([said, done], { done: false })).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('is an interruption without either, retryable only before the first chunk', () => {
    expect(hearChat([said], { done: false })).toMatchObject({
      text: 'hi',
      error: { code: 'STREAM_INTERRUPTED', retryable: false },
    });
    expect(hearChat([], { done: false }).error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
  });

  test('is an interruption where the last event is cut off, not broken JSON', () => {
    expect(hear([bytes(`${frame([said], { done: false })}data: {"choices":[{"del`)]).error).toMatchObject({
      code: 'STREAM_INTERRUPTED',
    });
  });

  test('is an interruption or the whole answer for every prefix of a stream', () => {
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

describe('a success without a stream', () => {
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

  test('is the same answer as one whole completion', () => {
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

  test('emits a whole message after its pieces only once', () => {
    expect(
      hearChat([delta({ content: 'hi' }), { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }]),
    ).toMatchObject({ text: 'hi' });
  });

  test('errors with a code for an error in JSON', () => {
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
  ])('errors with a code for %s', (_, text) => {
    expect(hear([bytes(text)]).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });

  test('reads a stream whose content type is that of a web page', () => {
    expect(hear([bytes('hello')], undefined, { contentType: 'text/html' }).error).toMatchObject({
      code: 'STREAM_MALFORMED',
    });
  });
});

describe('content other than text', () => {
  const png = 'data:image/png;base64,AAAA';

  test('emits images as parts, in their place within the text', () => {
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

  test('emits audio as one part, with its transcript as text', () => {
    const samples = 'abcdefg';
    const heard = hearChat([
      delta({ audio: { id: 'a', transcript: 'Hel' } }),
      // Padding in the middle: each piece is base64 of its own.
      delta({ audio: { data: btoa(samples.slice(0, 4)) } }),
      delta({ audio: { data: btoa(samples.slice(4)), transcript: 'lo' } }),
      delta({ audio: { expires_at: 1 } }, 'stop'),
    ]);
    expect(heard).toMatchObject({
      text: 'Hello',
      parts: [{ type: 'audio', mediaType: 'audio/pcm;rate=24000', data: btoa(samples) }],
    });
  });

  test('errors with a code for invalid audio data', () => {
    expect(hearChat([delta({ audio: { data: '%' } }, 'stop')]).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });
});
