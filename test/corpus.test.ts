import { readdirSync, readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createAnthropicClient } from '../src/llm/wires/anthropic/client.ts';
import { createAnthropicReader } from '../src/llm/wires/anthropic/response.ts';
import { createChatReader } from '../src/llm/wires/chat-completions/response.ts';
import { createChatCompletionsClient } from '../src/llm/wires/chat-completions/client.ts';
import type { LLMClient } from '../src/core/model/llm.ts';
import { createOpenAIClient } from '../src/llm/wires/openai-sdk/client.ts';
import { createResponsesClient } from '../src/llm/wires/responses/client.ts';
import { createResponsesReader } from '../src/llm/wires/responses/response.ts';
import type { Reader, ReaderOptions } from '../src/llm/transport/reader.ts';
import { createSseParser } from '../src/llm/transport/sse.ts';
import { bytes, createListener, hear, type Heard, limits } from './support/llm-answer.ts';
import { createRandom, cutAt, randomCuts } from './support/llm-cuts.ts';

// Recorded streams of real providers, and the answer that every client must read from them. test/corpus/README.md says where they are from.
//
// Each stream is framed in four ways and cut: at every single position where it is short, and at 100 seeded sets of positions in any case
// (`CUTS=10`: at a tenth of both). Every cut must result in the same server-sent events. An answer depends on its events alone, so one cut in sixteen is also read to its
// end. A few cuts of each stream pass through the clients: over fetch, and over the OpenAI SDK where the SDK supports the wire.
const corpus = new URL('corpus/', import.meta.url);
const shortest = 8 * 1024;
/** In each framing: four times as many for each stream. */
const manyCuts = Number(process.env.CUTS ?? 100);
/** Positions from one single cut to the next one. */
const stride = Math.ceil(100 / manyCuts);
const heardOf = 16;
const sentOf = 50;

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
  readonly clients: readonly ((fetch: typeof globalThis.fetch) => LLMClient)[];
}

const baseURL = 'https://api.test/v1';

const wires: Record<string, WireUnderTest> = {
  responses: {
    createReader: createResponsesReader,
    frame: (line) => [`data: ${line}`, ''],
    closing: [],
    clients: [(fetch) => createResponsesClient({ baseURL, fetch })],
  },
  'chat-completions': {
    createReader: createChatReader,
    frame: (line) => [`data: ${line}`, ''],
    closing: ['data: [DONE]', ''],
    clients: [
      (fetch) => createChatCompletionsClient({ baseURL, fetch }),
      (fetch) => createOpenAIClient(new OpenAI({ baseURL, apiKey: 'k', fetch, dangerouslyAllowBrowser: true })),
    ],
  },
  messages: {
    createReader: createAnthropicReader,
    frame: (line) => [`event: ${(JSON.parse(line) as { type: string }).type}`, `data: ${line}`, ''],
    closing: [],
    clients: [(fetch) => createAnthropicClient({ fetch })],
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

/** The places of single cuts, with other ones for each length of a stream. */
function positionsOf({ length }: Uint8Array): readonly (readonly [number])[] {
  const first = length % stride;
  return Array.from({ length: Math.floor((length - first) / stride) + 1 }, (_, n) => [first + n * stride]);
}

type Events = readonly { readonly event?: string | undefined; readonly data: string; readonly open: boolean }[];

/** The events of a stream, before a wire's reader reads them. */
function eventsOf(pieces: Iterable<Uint8Array>): Events {
  const events: Events[number][] = [];
  const parser = createSseParser(({ event, data }, open) => events.push({ event, data, open }), limits, 'api.test');
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

/** Whether a stream in pieces results in exactly these events. */
function resultsIn(pieces: Iterable<Uint8Array>, expected: Events): boolean {
  let index = 0;
  let same = true;
  const parser = createSseParser(
    ({ event, data }, open) => {
      const one = expected[index++];
      same &&= one !== undefined && data === one.data && event === one.event && open === one.open;
    },
    limits,
    'api.test',
  );
  for (const piece of pieces) parser.push(piece);
  return parser.end() === '' && same && index === expected.length;
}

/** The answer that a client emits for a stream in these pieces. */
function hearThrough(
  createClient: (fetch: typeof globalThis.fetch) => LLMClient,
  pieces: Iterable<Uint8Array>,
): Promise<Heard> {
  const { heard, emit } = createListener();
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const client = createClient(() =>
    Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  );
  return new Promise((resolve) => {
    client.sendRequest({ sessionId: 's', messages: [] }).subscribe({
      next: emit,
      error: (error) => resolve({ ...heard, error }),
      complete: () => resolve(heard),
    });
  });
}

/** An answer, in the format of the corpus. */
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

const all = Object.entries(JSON.parse(read('expected.json')) as Record<string, Expected>);

describe('reads the recorded stream', () => {
  test.each(all.filter(([, { wire }]) => wire in wires))('%s', { timeout: 120_000 }, async (name, expected) => {
    const wire = wires[expected.wire];
    if (wire === undefined) throw new Error('no such wire');
    const lines = [...read(name).trimEnd().split('\n').flatMap(wire.frame), ...wire.closing];
    const random = createRandom(name.length);
    for (const [ends, variant] of Object.entries(variants)) {
      const stream = bytes(variant(lines));
      const whole = hear([stream], wire.createReader);
      expect(toExpected(whole)).toEqual(toExpectation(expected));
      const cuts = [
        ...Array.from({ length: manyCuts }, () => randomCuts(stream.length, random)),
        ...(stream.length <= shortest ? positionsOf(stream) : []),
      ];
      const events = eventsOf([stream]);
      const same = JSON.stringify(whole);
      const wrong = cuts.find(
        (cut, n) =>
          !resultsIn(cutAt(stream, cut), events) ||
          (n % heardOf === 0 && JSON.stringify(hear(cutAt(stream, cut), wire.createReader)) !== same),
      );
      expect(wrong, `${ends}, cut at`).toBeUndefined();
      for (let n = 0; n < manyCuts; n += sentOf)
        for (const client of wire.clients)
          expect(toExpected(await hearThrough(client, cutAt(stream, cuts[n] ?? [])))).toEqual(toExpected(whole));
    }
  });
});

test('every recorded stream has an expected answer, and every wire a client', () => {
  const streams = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.jsonl'));
  expect(streams.toSorted()).toEqual(all.map(([name]) => name).toSorted());
  expect(all.filter(([, { wire }]) => !(wire in wires))).toEqual([]);
  expect(streams).toHaveLength(79);
});

/** The types of the tools that ran at the provider, by the line of a stream. */
const ranThere: Record<string, (line: string) => readonly string[]> = {
  responses: (line) => {
    const { type, item } = JSON.parse(line) as { type: string; item?: { type: string } };
    return type === 'response.output_item.done' && item && !/^(message|reasoning|function_call)$/.test(item.type)
      ? [item.type]
      : [];
  },
  messages: (line) => {
    const { content_block: block } = JSON.parse(line) as { content_block?: { type: string } };
    return block && !/^(text|(redacted_)?thinking|tool_use)$/.test(block.type) ? [block.type] : [];
  },
};

test('emits tools that ran at a provider as parts, in order, and calls none of them', () => {
  let seen = 0;
  for (const [name, { wire: wireName, malformed, error }] of all) {
    const wire = wires[wireName];
    const ran = ranThere[wireName];
    if (!wire || !ran || malformed > 0 || error !== null) continue;
    const lines = read(name).trimEnd().split('\n');
    const { parts } = hear([bytes(lines.flatMap(wire.frame).join('\n') + '\n')], wire.createReader);
    const shown = parts.flatMap((part) => {
      const { type, name: word } = part as { type: string; name: string };
      return type === 'provider' ? [word] : [];
    });
    const expected = lines.flatMap(ran);
    expect([name, shown]).toEqual([name, expected]);
    seen += expected.length;
  }
  expect(seen).toBeGreaterThan(50);
});
