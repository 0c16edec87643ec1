import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../../src/agui/json-patch.ts';
import { atMostEvery } from '../../src/core/at-most-every.ts';
import { type LiveCalls, proceed } from '../../src/mcp/call.ts';
import { readTools } from '../../src/mcp/definition.ts';
import { listAll } from '../../src/mcp/list.ts';
import type { Peer } from '../../src/mcp/peer.ts';
import { parseMessage, readAll } from '../../src/mcp/read-body.ts';
import { runCall } from '../../src/mcp/run-call.ts';
import { untyped } from '../support/untyped.ts';

/** What a stranger may send, with its bound. */
interface Bound {
  readonly what: string;
  readonly file: string;
  readonly constant: string;
  readonly bound: number;
  /** Sends so many, and resolves with how many had an effect, or were read. Rejects or throws where the rest ends in an error. */
  send?(times: number): Promise<number> | number;
  /** The error, or the problem, of ten times the bound; `undefined` where the rest is ignored. */
  readonly ends?: RegExp;
  /** The test that sends ten times as many, where it is not here. */
  readonly test?: string;
}

const asker = { name: 'notes', host: 'notes.example' };
const peerOf = (request: Peer['request'], version = '2026-07-28'): Peer => untyped({ request, version });
let seen = 0;

/** Answers with `more` until so many requests have been answered, and with `last` from then on. */
const answering =
  (times: number, more: () => JsonObject, last: JsonObject): Peer['request'] =>
  async () => {
    seen += 1;
    return seen < times ? more() : last;
  };

const bounds: readonly Bound[] = [
  {
    what: 'pages of a list of an MCP server',
    file: 'src/mcp/list.ts',
    constant: 'maxPages',
    bound: 100,
    async send(times) {
      const request = answering(times, () => ({ tools: [], nextCursor: `c${seen}` }), { tools: [] });
      await listAll(peerOf(request), 'notes.example', 'tools');
      return seen;
    },
    ends: /without an end/,
  },
  {
    what: 'items of a list of an MCP server',
    file: 'src/mcp/list.ts',
    constant: 'maxItems',
    bound: 1_000,
    async send(times) {
      const tools = Array.from({ length: times }, (_, index) => ({ name: `t${index}` }));
      const items = await listAll(
        peerOf(async () => ({ tools })),
        'notes.example',
        'tools',
      );
      return (seen = items.length);
    },
    ends: /without an end/,
  },
  {
    what: 'characters of the definition of an MCP tool',
    file: 'src/mcp/definition.ts',
    constant: 'maxDefinition',
    bound: 65_536,
    send(times) {
      const short: JsonObject = { name: 'a', inputSchema: { type: 'object' }, description: '' };
      const item = { ...short, description: 'x'.repeat(times - JSON.stringify(short).length) };
      const { tools, leftOut } = readTools([item]);
      if (leftOut[0]) throw new Error(leftOut[0].reason);
      return (seen = JSON.stringify(item).length * tools.length);
    },
    ends: /longer than 65536 characters/,
  },
  {
    what: 'levels of a message of an MCP server',
    file: 'src/mcp/read-body.ts',
    constant: 'maxDepth',
    bound: 64,
    send(times) {
      parseMessage(`{"a":${'['.repeat(times - 1)}${']'.repeat(times - 1)}}`);
      return (seen = times);
    },
    ends: /^/,
  },
  {
    what: 'bytes of an answer of an MCP server',
    file: 'src/mcp/connect.ts',
    constant: 'maxBytes',
    bound: 16_000_000,
    async send(times) {
      const piece = new Uint8Array(100_000).fill(120);
      const stream = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (seen >= times) return controller.close();
            controller.enqueue(piece);
            seen += piece.length;
          },
        },
        { highWaterMark: 0 },
      );
      await readAll({ stream, maxBytes: 16_000_000 });
      return seen;
    },
    ends: /^/,
  },
  {
    what: 'reports of progress of one call of an MCP tool',
    file: 'src/mcp/run-call.ts',
    constant: 'maxProgress',
    bound: 10_000,
    async send(times) {
      const request: Peer['request'] = async (_method, _params, options) => {
        for (let index = 0; index < times; index += 1) options?.onProgress?.({ progress: index });
        return { content: [] };
      };
      const env = { peer: peerOf(request), asker, liveCalls: new Map() };
      const tool = { definition: { name: 'a' }, paramHeaders: [] };
      const context = { signal: new AbortController().signal, idempotencyKey: 'k', progress: () => (seen += 1) };
      await runCall(untyped(env), untyped(tool), untyped({ input: {}, context, repeatable: false }));
      return seen;
    },
  },
  {
    what: 'repetitions that an MCP server asks for within one call',
    file: 'src/mcp/call.ts',
    constant: 'maxRepeats',
    bound: 5,
    async send(times) {
      // The call itself is no repetition.
      seen = -1;
      const request = answering(times, () => ({ resultType: 'input_required', requestState: 'again' }), {
        content: [],
      });
      const live: LiveCalls = new Map();
      await proceed(peerOf(request), { params: {}, options: {} }, asker, {
        key: 'k',
        liveCalls: live,
        repeatable: false,
      });
      return seen;
    },
    ends: /the same call more than 5 times/,
  },
  {
    what: 'operations of a JSON Patch of a remote agent',
    file: 'src/agui/json-patch.ts',
    constant: 'maxOperations',
    bound: 20_000,
    send(times) {
      const patch: Json = Array.from({ length: times }, () => ({ op: 'add', path: '/a', value: 1 }));
      const { problem } = applyPatch({}, patch);
      if (problem !== undefined) throw new Error(problem);
      return (seen = times);
    },
    ends: /more than 20000 operations/,
  },
  {
    what: 'keys of a path of a JSON Patch',
    file: 'src/agui/json-patch.ts',
    constant: 'maxKeys',
    bound: 256,
    send(times) {
      const path = '/a'.repeat(times);
      let value: Json = 1;
      for (let depth = 1; depth < times; depth += 1) value = { a: value };
      const { problem } = applyPatch({ a: value }, [{ op: 'replace', path, value: 2 }]);
      if (problem !== undefined) throw new Error(problem);
      return (seen = times);
    },
    ends: /^/,
  },
  {
    what: 'steps of one check of an input by a schema',
    file: 'src/core/tools/json-schema.ts',
    constant: 'maxSteps',
    bound: 4_000_000,
    test: 'test/core/tools/json-schema.test.ts',
  },
  {
    what: 'questions of an MCP server within one call',
    file: 'src/mcp/question.ts',
    constant: 'maxRounds',
    bound: 10,
    test: 'test/mcp/bounds.test.ts',
  },
  {
    what: 'answers to an MCP server that are on their way',
    file: 'src/mcp/exchange.ts',
    constant: 'maxAnswers',
    bound: 16,
    test: 'test/mcp/bounds.test.ts',
  },
  {
    what: 'requests of an MCP App at a time',
    file: 'src/mcp/apps/bridge.ts',
    constant: 'maxOpen',
    bound: 16,
    test: 'test/mcp/apps.test.ts',
  },
  {
    what: 'parts of one reply of a remote agent',
    file: 'src/agui/decode.ts',
    constant: 'maxParts',
    bound: 20_000,
    test: 'test/agui/hostile.test.ts',
  },
];

describe('ten times the bound', () => {
  test.each(bounds.filter((one) => one.send))('of $what: what is beyond the bound is not done', async (one) => {
    const { bound, send, ends } = one;
    seen = 0;
    // The bound itself is allowed.
    expect(await send?.(bound)).toBe(bound);
    seen = 0;
    let failure: unknown;
    try {
      await send?.(10 * bound);
    } catch (thrown) {
      failure = thrown;
    }
    expect(failure === undefined).toBe(ends === undefined);
    if (failure instanceof Error) expect(failure.message).toMatch(ends ?? /never/);
    // One more piece may be read, to learn that there is more.
    expect(seen).toBeLessThanOrEqual(bound * 1.02 + 1);
  });

  test('of changes that are announced: the work is done once in each pause, and once after the last one', () => {
    const timers: (() => void)[] = [];
    const delay = (callback: () => void): (() => void) => {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    };
    let done = 0;
    const work = atMostEvery(1_000, () => (done += 1), { delay });
    for (let index = 0; index < 10_000; index += 1) work.ask();
    expect([done, timers.length]).toEqual([1, 1]);
    timers.shift()?.();
    expect([done, timers.length]).toEqual([2, 1]);
    timers.shift()?.();
    expect([done, timers.length]).toEqual([2, 0]);
    work.ask();
    expect(done).toBe(3);
    work.ask();
    work.stop();
    work.ask();
    expect([done, timers.length]).toEqual([3, 0]);
  });
});

describe('the table of bounds in docs/threats.md', () => {
  const text = readFileSync(new URL('../../docs/threats.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## What a stranger can send'));
  const rows = section
    .slice(0, section.indexOf('\n## ', 1))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| what'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  test.each(bounds)(
    'has the bound of $what, as the code has it',
    ({ what, file, constant, bound, test: elsewhere }) => {
      const code = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      const [, value] = new RegExp(`\\b${constant}(?: =|: true,\\n[^]*?${constant} \\?\\?) ([\\d_]+)`).exec(code) ?? [];
      expect(Number(value?.replaceAll('_', ''))).toBe(bound);
      const [, , stated, , named] = rows.find(([, first]) => first === what) ?? [];
      expect([what, stated]).toEqual([what, bound.toLocaleString('en')]);
      expect(named).toBe(`\`${elsewhere ?? 'test/behaviour/bounds.test.ts'}\``);
    },
  );

  test('names tests that exist', () => {
    const files = rows.map((cells) => cells.at(4)?.replaceAll('`', '') ?? '');
    expect(files.length).toBeGreaterThan(bounds.length);
    for (const file of files) expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain('test');
  });
});
