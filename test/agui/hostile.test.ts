import type { Json } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { createAGUIReader } from '../../src/agui/decode.ts';
import { bytes, frame, type Heard, hear } from '../support/llm-answer.ts';

const ids = { threadId: 't', runId: 'r' };
const started = { type: 'RUN_STARTED', ...ids };
const finished = (outcome?: object) => ({ type: 'RUN_FINISHED', ...ids, outcome });

const read = (events: readonly object[] | string): Heard =>
  hear([bytes(typeof events === 'string' ? events : frame(events, { done: false }))], (options) =>
    createAGUIReader({
      ...options,
      tools: new Set(['agui_interrupt']),
      state: {},
      openCalls: new Map(),
      endedCalls: new Set(),
      knownMessages: new Set(),
    }),
  );
const asks = (interrupts: readonly object[]) => read([started, finished({ type: 'interrupt', interrupts })]);

const deepText = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('what a hostile agent sends', () => {
  test('a state without a bottom is refused with a typed error, or read', () => {
    const event = (depth: number): string => `{"type":"STATE_SNAPSHOT","snapshot":${deepText(depth)}}`;
    for (const depth of [1_000, 100_000, 1_000_000]) {
      const lines = [JSON.stringify(started), event(depth), JSON.stringify(finished())];
      const { error, finish } = read(lines.map((line) => `data: ${line}\n\n`).join(''));
      expect([finish === 'stop' || error?.name === 'AgentError', depth]).toEqual([true, depth]);
    }
  });

  test('an interrupt without a bottom is refused with a typed error, or read', () => {
    for (const depth of [1_000, 100_000, 1_000_000]) {
      const end = `{"type":"RUN_FINISHED","outcome":{"type":"interrupt","interrupts":[{"id":"i","metadata":${deepText(depth)}}]}}`;
      const { error, finish } = read(`data: ${JSON.stringify(started)}\n\ndata: ${end}\n\n`);
      expect([finish === 'tool-calls' || error?.name === 'AgentError', depth]).toEqual([true, depth]);
    }
  });

  test('ten thousand interrupts, and an interrupt of ten megabytes, are too large', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `i${index}`, reason: 'x' }));
    expect(asks(many).error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect(asks([{ id: 'i', reason: 'x', message: 'm'.repeat(10_000_000) }]).error).toMatchObject({
      code: 'STREAM_TOO_LARGE',
    });
  });

  test('the same interrupt twice is one question', () => {
    expect(
      asks([
        { id: 'i', reason: 'a' },
        { id: 'i', reason: 'b' },
      ]).calls,
    ).toHaveLength(1);
  });

  test.each(['__proto__', 'constructor', 'toString', '\u202Egnp.exe', '\uD800', 'a\nb'])(
    'the name %j is a name like any other: of an interrupt, a step, a call, a key of the state',
    (name) => {
      const pollute = JSON.parse(
        `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/__proto__","value":{"x":1}}]}`,
      ) as object;
      const heard = read([
        started,
        { type: 'STEP_STARTED', stepName: name },
        { type: 'TOOL_CALL_START', toolCallId: name, toolCallName: name },
        { type: 'TOOL_CALL_END', toolCallId: name },
        { type: 'STATE_DELTA', delta: [{ op: 'add', path: `/${name}`, value: 1 }] },
        pollute,
        finished({
          type: 'interrupt',
          interrupts: [{ id: name, reason: name, toolCallId: name, metadata: { [name]: 1 } }],
        }),
      ]);
      expect(heard.error).toBeUndefined();
      expect(heard.calls).toHaveLength(1);
      expect(Object.prototype).not.toHaveProperty('x');
    },
  );

  test('every kind of value in every field of an interrupt makes a call or none', () => {
    const kinds: readonly Json[] = [null, 0, '', 'x', [], {}, true, [null], { type: 7 }];
    const fields = ['id', 'reason', 'message', 'toolCallId', 'responseSchema', 'expiresAt', 'metadata'];
    for (const field of fields)
      for (const kind of kinds) expect(asks([{ id: 'i', reason: 'x', [field]: kind }]).error).toBeUndefined();
  });

  test('two hundred thousand parts of one reply end it with a typed error, after 20,000', () => {
    const steps = Array.from({ length: 200_000 }, (_, index) => ({ type: 'STEP_STARTED', stepName: `s${index}` }));
    const heard = read([started, ...steps, finished()]);
    expect(heard.error).toMatchObject({ code: 'STREAM_TOO_LARGE', message: expect.stringContaining('20000 parts') });
    expect(heard.parts).toHaveLength(20_000);
  });

  test('a flood of small deltas of the state ends in bounded time with a state', () => {
    const delta = [{ op: 'add', path: '/a', value: 1 }];
    const heard = read([
      started,
      ...Array.from({ length: 100_000 }, () => ({ type: 'STATE_DELTA', delta })),
      finished(),
    ]);
    expect(heard.finish).toBe('stop');
    expect(heard.parts.length).toBeLessThan(3_000);
  });
});
