import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createSseParser, type SseEvent, type SseLimits } from '../../../src/core/llm/sse.ts';
import { bytes, limits } from '../../support/llm-answer.ts';
import { cutAt } from '../../support/llm-cuts.ts';

function parse(pieces: Iterable<Uint8Array>, within: SseLimits = limits): SseEvent[] {
  const events: SseEvent[] = [];
  const parser = createSseParser(
    (event) => events.push({ data: event.data, ...(event.event && { event: event.event }) }),
    within,
    'api.test',
  );
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

const datas = (text: string): string[] => parse([bytes(text)]).map(({ data }) => data);

describe('the WHATWG event stream', () => {
  test.each([
    ['an event ends at a blank line', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF ends a line', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR ends a line', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['ends of lines may be mixed', 'data: a\r\n\ndata: b\r\r\ndata: c\n\r\n', ['a', 'b', 'c']],
    ['several data lines are joined by a newline', 'data: a\ndata: b\n\n', ['a\nb']],
    ['one space after the colon is not data', 'data:a\n\ndata:  b\n\n', ['a', ' b']],
    ['a field without a colon is empty', 'data\n\n', ['']],
    ['comments are nothing', ': hello\ndata: a\n: again\n\n:\n\n', ['a']],
    ['unknown fields are nothing', 'foo: bar\ndata: a\nid: 7\nretry: 1e308\n\n', ['a']],
    ['an event without data is nothing', 'event: ping\n\ndata: a\n\n', ['a']],
    ['a byte order mark is nothing', '\ufeffdata: a\n\n', ['a']],
    ['a second byte order mark is part of the field name', '\ufeff\ufeffdata: a\n\ndata: b\n\n', ['b']],
    ['an event without its blank line counts at the end', 'data: a\n\ndata: b\n', ['a', 'b']],
    ['so does a line without its end', 'data: a\n\ndata: b', ['a', 'b']],
    ['U+2028 and U+0085 end no line', 'data: a\u2028b\u0085c\n\n', ['a\u2028b\u0085c']],
    ['NUL in an id harms nothing', 'id: a\0b\ndata: a\n\n', ['a']],
    ['an empty stream is no events', '', []],
  ])('%s', (_, text, expected) => {
    expect(datas(text)).toEqual(expected);
  });

  test('names its events', () => {
    expect(parse([bytes('event: ping\ndata: a\n\ndata: b\n\n')])).toEqual([
      { event: 'ping', data: 'a' },
      { data: 'b' },
    ]);
  });

  test('marks what came without its blank line', () => {
    const open: boolean[] = [];
    const parser = createSseParser((_, isOpen) => open.push(isOpen), limits, 'api.test');
    parser.push(bytes('data: a\n\ndata: b'));
    parser.end();
    expect(open).toEqual([false, true]);
  });

  test('takes a field error: as an event of that name', () => {
    expect(parse([bytes('error: {"code":500}\n\n')])).toEqual([{ event: 'error', data: '{"code":500}' }]);
  });
});

describe('bytes cut anywhere', () => {
  const text = '\ufeffdata: grün 🌊\r\n\r\n: c\r\ndata: a\r\rdata: €\ndata: b\n\nevent: x\r\ndata: [DONE]\r\n\r\n';
  const all = bytes(text);
  const whole = parse([all]);

  test('gives the same events at every single cut', () => {
    for (let at = 0; at <= all.length; at += 1) expect(parse(cutAt(all, [at]))).toEqual(whole);
  });

  test('gives the same events byte by byte', () => {
    expect(parse(cutAt(all, [...all.keys()]))).toEqual(whole);
  });

  test('invalid UTF-8 becomes replacement characters, wherever it is cut', () => {
    const broken = new Uint8Array([...bytes('data: a'), 0xff, 0xe2, 0x82, 0x41, ...bytes('\n\n')]);
    for (let at = 0; at <= broken.length; at += 1)
      expect(parse(cutAt(broken, [at]))).toEqual([{ data: 'a\ufffd\ufffdA' }]);
  });

  test('delivers an event as soon as its blank line is there, also after CR', () => {
    const seen: string[] = [];
    const parser = createSseParser(({ data }) => seen.push(data), limits, 'api.test');
    parser.push(bytes('data: a\r\r'));
    expect(seen).toEqual(['a']);
  });
});

// What is reachable, not what the collector has not come to yet.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('limits', () => {
  const failing = (pieces: Iterable<Uint8Array>, within: SseLimits = limits): unknown => {
    try {
      parse(pieces, within);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  function* repeat(piece: Uint8Array, times: number): Generator<Uint8Array> {
    for (let n = 0; n < times; n += 1) yield piece;
  }

  test('an event over the limit is a typed error', () => {
    const within = { event: 100, stream: 10_000 };
    expect(failing([bytes(`data: ${'x'.repeat(101)}\n\n`)], within)).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(failing([bytes(`data: ${'x'.repeat(100)}\n\n`)], within)).toBeUndefined();
  });

  test('a stream over the limit is a typed error', () => {
    expect(failing(repeat(bytes('data: x\n\n'), 20), { event: 100, stream: 100 })).toMatchObject({
      code: 'STREAM_TOO_LARGE',
    });
  });

  test.each([
    ['in pieces of 64 KB', 65_536],
    ['in pieces of 1 KB', 1_024],
  ])('a line of 64 MB without an end, %s, is a typed error within 8 MB of memory', (_, size) => {
    const piece = bytes('x'.repeat(size));
    const before = memory();
    let most = 0;
    function* line(): Generator<Uint8Array> {
      yield bytes('data: ');
      for (let sent = 0; sent < 64 * 1024 * 1024; sent += size) {
        yield piece;
        if (sent % (1024 * 1024) === 0) most = Math.max(most, memory());
      }
    }
    expect(failing(line())).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(most - before).toBeLessThan(8 * 1024 * 1024);
  });

  test('a long line byte by byte is gathered, not kept in a million pieces', () => {
    const piece = bytes('x');
    const before = memory();
    let most = 0;
    function* line(): Generator<Uint8Array> {
      for (let sent = 1; sent < 1_100_000; sent += 1) {
        yield piece;
        if (sent % 250_000 === 0) most = Math.max(most, memory());
      }
    }
    expect(failing(line(), { event: 1_000_000, stream: 2_000_000 })).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(most - before).toBeLessThan(4 * 1024 * 1024);
  });

  test('a million data lines in one event are one event', () => {
    const [event] = parse(repeat(bytes('data: x\n'.repeat(1_000)), 1_000));
    expect(event?.data.length).toBe(1_999_999);
  });

  test('ten million comments are nothing', () => {
    expect(parse(repeat(bytes(':\n'.repeat(10_000)), 1_000))).toEqual([]);
  });

  test('a flood of unknown fields is no event stream', () => {
    expect(failing(repeat(bytes('x\n'.repeat(10_000)), 1_000))).toMatchObject({ code: 'STREAM_MALFORMED' });
  });
});
