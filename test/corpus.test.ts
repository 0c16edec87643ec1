import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../src/core/llm/anthropic-response.ts';
import { createChatReader } from '../src/core/llm/chat-response.ts';
import { createResponsesReader } from '../src/core/llm/responses-response.ts';
import type { Reader, ReaderOptions } from '../src/core/llm/reader.ts';
import { createSseParser } from '../src/core/llm/sse.ts';
import { bytes, type Heard, hear, limits } from './support/llm-answer.ts';
import { createRandom, cutAt, randomCuts } from './support/llm-cuts.ts';

// Streams as real providers sent them, and what any client must understand of them. They live beside the repository.
const corpus = new URL('../../shared/corpus/', import.meta.url);
const shortest = 8 * 1024;
// Every cut must give the same events, and an answer is made of its events alone; one in so many is heard to its end as well.
const heardOf = 16;

interface Expected {
  readonly wire: string;
  readonly malformed: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: string;
  readonly usage: { readonly input: number; readonly output: number } | null;
  readonly error: unknown;
}

interface WireUnderTest {
  readonly createReader: (options: ReaderOptions) => Reader;
  readonly frame: (line: string) => readonly string[];
  readonly closing: readonly string[];
}

const wires: Record<string, WireUnderTest> = {
  responses: { createReader: createResponsesReader, frame: (line) => [`data: ${line}`, ''], closing: [] },
  'chat-completions': {
    createReader: createChatReader,
    frame: (line) => [`data: ${line}`, ''],
    closing: ['data: [DONE]', ''],
  },
  messages: {
    createReader: createAnthropicReader,
    frame: (line) => [`event: ${(JSON.parse(line) as { type: string }).type}`, `data: ${line}`, ''],
    closing: [],
  },
};

const variants = {
  LF: (lines: readonly string[]) => `${lines.join('\n')}\n`,
  CRLF: (lines: readonly string[]) => `${lines.join('\r\n')}\r\n`,
  comments: (lines: readonly string[]) =>
    lines.map((line) => (line === '' ? '\n: keep-alive\n\n' : `${line}\n`)).join(''),
  BOM: (lines: readonly string[]) => `\ufeff${lines.join('\n')}\n`,
};

function read(name: string): string {
  return readFileSync(new URL(name, corpus), 'utf8');
}

/** All that a stream in pieces comes to before a wire's reader sees it, in one text. */
function eventsOf(pieces: Iterable<Uint8Array>): string {
  const events: string[] = [];
  const parser = createSseParser(
    ({ event, data }, open) => events.push(`${event} ${open} ${data}`),
    limits,
    'api.test',
  );
  for (const piece of pieces) parser.push(piece);
  return [...events, parser.end()].join('\0');
}

/** What was heard, in the corpus's own terms. */
function toExpected({ text, reasoning, calls, raw, usage, error }: Heard): object {
  if (error) return { failed: error.name };
  return {
    text,
    reasoning,
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.inputText) as unknown })),
    finish: raw,
    usage: usage ? { input: usage.input, output: usage.output } : null,
  };
}

function toExpectation({ text, reasoning, calls, finish, usage, malformed, error }: Expected): object {
  if (malformed > 0 || error !== null) return { failed: 'AgentError' };
  return {
    text,
    reasoning,
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown })),
    finish,
    usage,
  };
}

const here = existsSync(corpus);
const all: [string, Expected][] = here
  ? Object.entries(JSON.parse(read('expected.json')) as Record<string, Expected>)
  : [];

describe.runIf(here)('understands what real providers sent', () => {
  test.each(all.filter(([, { wire }]) => wire in wires))('%s', { timeout: 60_000 }, (name, expected) => {
    const wire = wires[expected.wire];
    if (wire === undefined) throw new Error('no such wire');
    const lines = [...read(name).trimEnd().split('\n').flatMap(wire.frame), ...wire.closing];
    const random = createRandom(name.length);
    for (const [ends, variant] of Object.entries(variants)) {
      const stream = bytes(variant(lines));
      const whole = hear([stream], wire.createReader);
      expect(toExpected(whole)).toEqual(toExpectation(expected));
      const cuts =
        stream.length <= shortest && (ends === 'LF' || expected.wire === 'chat-completions')
          ? Array.from({ length: stream.length + 1 }, (_, position) => [position])
          : Array.from({ length: 100 }, () => randomCuts(stream.length, random));
      const events = eventsOf([stream]);
      const same = JSON.stringify(whole);
      const wrong = cuts.find(
        (cut, n) =>
          eventsOf(cutAt(stream, cut)) !== events ||
          (n % heardOf === 0 && JSON.stringify(hear(cutAt(stream, cut), wire.createReader)) !== same),
      );
      expect(wrong, 'cut at').toBeUndefined();
    }
  });
});

test.skipIf(!here)('the corpus lies beside the repository', () => {
  expect(all.length).toBeGreaterThan(0);
});
