import { describe, expect, test } from 'vitest';
import { createSseParser, type SseEvent } from '../../../src/llm/transport/sse.ts';
import { bytes, hear, limits } from '../../support/llm-answer.ts';
import { cutAt } from '../../support/llm-cuts.ts';

function parse(pieces: Iterable<Uint8Array>): SseEvent[] {
  const events: SseEvent[] = [];
  const parser = createSseParser(
    (event) => events.push({ data: event.data, ...(event.event && { event: event.event }) }),
    limits,
    'api.test',
  );
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

const datas = (text: string): string[] => parse([bytes(text)]).map(({ data }) => data);

// WHATWG HTML §9.2.5 and §9.2.6: https://html.spec.whatwg.org/multipage/server-sent-events.html
describe('an event stream', () => {
  test.each([
    ['an event ends at a blank line', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF ends a line', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR ends a line', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['ends of lines may be mixed', 'data: a\r\n\ndata: b\r\r\ndata: c\n\r\n', ['a', 'b', 'c']],
    ['a comment within an event does not split the event', 'data: a\n: c\ndata: b\n\n', ['a\nb']],
    ['further blank lines create no events', '\n\n\ndata: a\n\n\n\ndata: b\n\n', ['a', 'b']],
    ['field names are case-sensitive and exact', 'Data: x\n data: x\ndata : x\nDATA: x\ndata: a\n\n', ['a']],
    ['a tab after the colon is data', 'data:\ta\n\n', ['\ta']],
    ['what follows the first colon is data', 'data: a:b: c\n\n', ['a:b: c']],
    ['an empty data line is data', 'data:\ndata\n\n', ['\n']],
    ['several data lines are joined by a newline', 'data: a\ndata: b\n\n', ['a\nb']],
    ['one space after the colon is not data', 'data:a\n\ndata:  b\n\n', ['a', ' b']],
    ['a field without a colon is empty', 'data\n\n', ['']],
    ['comments are ignored', ': hello\ndata: a\n: again\n\n:\n\n', ['a']],
    ['unknown fields are ignored', 'foo: bar\ndata: a\nid: 7\nretry: 1e308\n\n', ['a']],
    ['an event without data is ignored', 'event: ping\n\ndata: a\n\n', ['a']],
    ['a byte order mark is ignored', '\ufeffdata: a\n\n', ['a']],
    ['a second byte order mark is part of the field name', '\ufeff\ufeffdata: a\n\ndata: b\n\n', ['b']],
    ['an event without its blank line is emitted at the end', 'data: a\n\ndata: b\n', ['a', 'b']],
    ['a line without its end is read at the end', 'data: a\n\ndata: b', ['a', 'b']],
    ['U+2028 and U+0085 end no line', 'data: a\u2028b\u0085c\n\n', ['a\u2028b\u0085c']],
    ['NUL in an id is ignored', 'id: a\0b\ndata: a\n\n', ['a']],
    ['an empty stream contains no events', '', []],
  ])('%s', (_, text, expected) => {
    expect(datas(text)).toEqual(expected);
  });

  test('uses the last name of an event, for that event only', () => {
    expect(parse([bytes('event: a\nevent: b\ndata: 1\n\ndata: 2\n\nevent: c\n\ndata: 3\n\n')])).toEqual([
      { event: 'b', data: '1' },
      { data: '2' },
      { data: '3' },
    ]);
  });

  test('ignores id and retry, which serve reconnecting', () => {
    expect(parse([bytes('id: 1\0\nretry: -1\nretry: 1e308\nretry\nid\ndata: a\n\n')])).toEqual([{ data: 'a' }]);
  });

  test('reads an unfinished field at the end as far as it arrived', () => {
    expect(datas('data: a\n\ndat')).toEqual(['a']);
    expect(datas('data: a\n\ndata')).toEqual(['a', '']);
  });

  test('names its events', () => {
    expect(parse([bytes('event: ping\ndata: a\n\ndata: b\n\n')])).toEqual([
      { event: 'ping', data: 'a' },
      { data: 'b' },
    ]);
  });

  test('marks an event without its blank line', () => {
    const open: boolean[] = [];
    const parser = createSseParser((_, isOpen) => open.push(isOpen), limits, 'api.test');
    parser.push(bytes('data: a\n\ndata: b'));
    parser.end();
    expect(open).toEqual([false, true]);
  });

  test('reads a field error: as an event of that name', () => {
    expect(parse([bytes('error: {"code":500}\n\n')])).toEqual([{ event: 'error', data: '{"code":500}' }]);
  });
});

describe('bytes cut anywhere', () => {
  const text = '\ufeffdata: grün 🌊\r\n\r\n: c\r\ndata: a\r\rdata: €\ndata: b\n\nevent: x\r\ndata: [DONE]\r\n\r\n';
  const all = bytes(text);
  const whole = parse([all]);

  test('result in the same events at every single cut', () => {
    for (let at = 0; at <= all.length; at += 1) expect(parse(cutAt(all, [at]))).toEqual(whole);
  });

  test('result in the same events byte by byte', () => {
    expect(parse(cutAt(all, [...all.keys()]))).toEqual(whole);
  });

  test('decode invalid UTF-8 to replacement characters, wherever it is cut', () => {
    const broken = new Uint8Array([...bytes('data: a'), 0xff, 0xe2, 0x82, 0x41, ...bytes('\n\n')]);
    for (let at = 0; at <= broken.length; at += 1)
      expect(parse(cutAt(broken, [at]))).toEqual([{ data: 'a\ufffd\ufffdA' }]);
  });

  test('emit an event as soon as its blank line arrives, also after CR', () => {
    const seen: string[] = [];
    const parser = createSseParser(({ data }) => seen.push(data), limits, 'api.test');
    parser.push(bytes('data: a\r\r'));
    expect(seen).toEqual(['a']);
  });
});

describe('two cuts', () => {
  // Every way to end lines, a BOM, and a character of four bytes.
  const all = bytes('\ufeffdata: 🌊\r\n\r\n:c\rdata:a\r\rdata:b\n\n');
  const whole = parse([all]);

  test('anywhere result in the same events', () => {
    for (let one = 0; one <= all.length; one += 1)
      for (let two = one; two <= all.length; two += 1) expect(parse(cutAt(all, [one, two]))).toEqual(whole);
  });
});

describe('an event without its blank line at the end of the stream', () => {
  const said = 'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}';

  test('is read where it is JSON, unlike in the specification', () => {
    for (const end of ['', '\n', '\r', '\r\n'])
      expect(hear([bytes(said + end)])).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('is an interruption where it is not JSON', () => {
    for (let length = 0; length < said.length; length += 1)
      expect(hear([bytes(said.slice(0, length))]).error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });
});
