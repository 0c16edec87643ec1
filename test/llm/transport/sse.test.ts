import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createSseParser, type SseEvent, type SseLimits } from '../../../src/llm/transport/sse.ts';
import { bytes, limits } from '../../support/llm-answer.ts';

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

// Measures reachable memory, not garbage that was not collected yet.
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

  test('throw STREAM_TOO_LARGE for an event over the limit', () => {
    const within = { event: 100, stream: 10_000 };
    expect(failing([bytes(`data: ${'x'.repeat(101)}\n\n`)], within)).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(failing([bytes(`data: ${'x'.repeat(100)}\n\n`)], within)).toBeUndefined();
  });

  test('throw STREAM_TOO_LARGE for a stream over the limit', () => {
    expect(failing(repeat(bytes('data: x\n\n'), 20), { event: 100, stream: 100 })).toMatchObject({
      code: 'STREAM_TOO_LARGE',
    });
  });

  test.each([
    ['in pieces of 64 KB', 65_536],
    ['in pieces of 1 KB', 1_024],
  ])('throw for an endless line of 64 MB, %s, within 8 MB of memory', (_, size) => {
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

  test('join a long line that arrives byte by byte, instead of keeping a million pieces', () => {
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

  test('accept a million data lines in one event', () => {
    const [event] = parse(repeat(bytes('data: x\n'.repeat(1_000)), 1_000));
    expect(event?.data.length).toBe(1_999_999);
  });

  test('ignore ten million comments', () => {
    expect(parse(repeat(bytes(':\n'.repeat(10_000)), 1_000))).toEqual([]);
  });

  test('throw for a flood of unknown fields', () => {
    expect(failing(repeat(bytes('x\n'.repeat(10_000)), 1_000))).toMatchObject({ code: 'STREAM_MALFORMED' });
  });
});
