import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { createChatReader } from '../../../src/llm/wires/chat-completions/response.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { toReplyEvents } from '../../../src/core/session/reply.ts';
import { bytes, call, delta, frame, hear, hearChat } from '../../support/llm-answer.ts';
import { cutAt } from '../../support/llm-cuts.ts';

const megabyte = 1024 * 1024;
const done = delta({}, 'stop');
const wires = [
  ['chat completions', createChatReader],
  ['Responses', createResponsesReader],
  ['Messages', createAnthropicReader],
] as const;

/** Endless pieces, or a number of them, and how many were read. */
function supply(piece: string, times = Infinity, first = '') {
  const supplied = { taken: 0 };
  const one = bytes(piece);
  function* pieces(): Generator<Uint8Array> {
    if (first) yield bytes(first);
    while (supplied.taken < times) {
      supplied.taken += 1;
      yield one;
    }
  }
  return { supplied, pieces: pieces() };
}

describe('a hostile stream', () => {
  // A parser that reads no more than this cannot keep more than this, whatever the garbage collector does.
  test.each([
    ['data', 'data: '],
    ['a comment', ':'],
    ['the name of an event', 'event: '],
    ['an unknown field', 'x: '],
    ['a line that is no field', ''],
  ])('with an endless line of %s is abandoned after the 4 MB of an event', (_, start) => {
    const { supplied, pieces } = supply('x'.repeat(65_536), Infinity, start);
    expect(hear(pieces).error).toMatchObject({ code: 'STREAM_TOO_LARGE', retryable: false });
    expect(supplied.taken * 65_536).toBeLessThanOrEqual(4 * megabyte + 65_536);
  });

  test('with one endless event is abandoned after 4 MB', () => {
    const { supplied, pieces } = supply('data: xxxxxxxxx\n'.repeat(4_096));
    expect(hear(pieces).error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(supplied.taken * 65_536).toBeLessThanOrEqual(8 * megabyte);
  });

  test('without an end is abandoned after 64 MB, whatever its content', () => {
    const { supplied, pieces } = supply(`: still here ${' '.repeat(1_010)}\n\n`.repeat(64));
    expect(hear(pieces).error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(supplied.taken * 65_536).toBeLessThanOrEqual(65 * megabyte);
  });
});

describe.each(wires)('what %s cannot read', (_, createReader) => {
  test('errors with a code for an endlessly nested event', () => {
    const deep = `{"choices":${'['.repeat(300_000)}${']'.repeat(300_000)}}`;
    expect(hear([bytes(`data: ${deep}\n\n`)], createReader).error).toMatchObject({ code: 'STREAM_MALFORMED' });
    expect(hear([bytes(deep)], createReader).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });

  test('errors with a code for noise that is not UTF-8, cut anywhere', () => {
    const noise = new Uint8Array([
      ...bytes('data: {"a":"'),
      0xc3,
      0xff,
      0xed,
      0xa0,
      0x80,
      0xf4,
      0x90,
      ...bytes('"\n\n'),
    ]);
    const { error } = hear([noise], createReader);
    expect(error?.name).toBe('AgentError');
    for (let at = 0; at <= noise.length; at += 1)
      expect(hear(cutAt(noise, [at]), createReader).error?.code).toBe(error?.code);
  });
});

describe('a hostile answer', () => {
  const fn = (name: string, input: string): object => call({ index: 0, id: 'a', function: { name, arguments: input } });

  test.each([
    ['in one piece', (text: string) => [fn('f', text)]],
    ['in many', (text: string) => [fn('f', ''), ...(text.match(/.{1,1000}/g) ?? []).map((piece) => fn('', piece))]],
  ])('errors with a code for endlessly nested input, %s, which could neither be stored nor sent back', (_, pieces) => {
    const deep = '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000);
    expect(hearChat([...pieces(deep), done]).error).toMatchObject({ code: 'STREAM_MALFORMED' });
    const fine = '{"a":'.repeat(300) + '1' + '}'.repeat(300);
    expect(hearChat([...pieces(fine), done]).calls[0]?.inputText).toBe(fine);
  });

  test('does not count brackets in text as nesting', () => {
    const brackets = '[{'.repeat(10_000);
    expect(hearChat([delta({ content: brackets }), done]).text).toBe(brackets);
    expect(hearChat([fn('f', JSON.stringify({ code: `"\\${brackets}` })), done]).error).toBeUndefined();
  });

  test('emits half a surrogate pair, NUL and bidi marks unchanged', () => {
    const text = 'a\ud83c b\0 \u202e c\u2028';
    const wire = `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}},"finish_reason":"stop"}]}\n\n`;
    for (let at = 0; at <= wire.length; at += 7) expect(hear(cutAt(bytes(wire), [at])).text).toBe(text);
  });

  test('joins a hundred thousand tiny pieces into one text', () => {
    const events = Array.from({ length: 100_000 }, () => delta({ content: 'x' }));
    expect(hearChat([...events, done]).text.length).toBe(100_000);
  });

  test.each(['__proto__', 'constructor', 'toString', 'a\nb', '\u202etxt', ' '])(
    'emits a call named %j like any other',
    (name) => {
      const { calls, error } = hearChat([
        fn(name, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
        done,
      ]);
      expect(error).toBeUndefined();
      expect(calls[0]?.name).toBe(name);
      const seen: object[] = [];
      const [heard] = calls;
      const chunk = { type: 'call-end', index: 0, name, inputText: heard?.inputText ?? '' } as const;
      toReplyEvents(of(chunk, { type: 'finish', reason: 'tool-calls' } as const), () => 'id').subscribe((event) =>
        seen.push(event),
      );
      expect(JSON.stringify(seen[0])).toContain('"input":{"__proto__":{"polluted":1},"constructor":{"prototype"');
      expect('polluted' in {}).toBe(false);
    },
  );

  test('shortens an error of a megabyte to one line', () => {
    const { error } = hear([
      bytes(frame([{ error: { message: 'x\n'.repeat(megabyte / 2), code: 'y'.repeat(megabyte) } }])),
    ]);
    expect(error?.message.length).toBeLessThan(500);
    expect(error?.message).not.toContain('\n');
  });
});
