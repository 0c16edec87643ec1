import {
  AgentError,
  defineTool,
  type JsonObject,
  type Tool,
  type ToolContext,
  type ToolOptions,
  type ToolPart,
} from 'brooklet';
import { type EventBody, initialState } from 'brooklet/core';
import type { InputSchema, Presentation, Presenter } from 'brooklet/tools';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ErrorListener } from '../../../src/core/caught-error.ts';
import { createMeta } from '../../../src/core/log/meta.ts';
import { createFolding } from '../../../src/core/model/folding.ts';
import { perform } from '../../../src/core/session/perform.ts';
import { settled } from '../../support/manual-client.ts';
import { noContext } from '../../support/no-context.ts';
import { createManualPorts, type ManualPorts } from '../../support/ports.ts';
import { engine } from '../../../src/core/tools/tool.ts';

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'add',
  status: 'approved',
  inputText: '{"n":1}',
  input: { n: 1 },
};
const started: EventBody = { type: 'call.started', callId: 'c', attempt: 1 };

type Options = Partial<ToolOptions<JsonObject>>;

function toolThat(execute: ToolOptions<JsonObject>['execute'], more: Options = {}): Tool {
  return defineTool({ name: 'add', description: '', input: { type: 'object' }, execute, ...more });
}

function fails(thrown: unknown): never {
  // A tool may throw any value.
  throw thrown;
}

interface Stage {
  readonly events: EventBody[];
  readonly ports: ManualPorts;
  readonly flush: ReturnType<typeof vi.fn>;
  readonly unsubscribe: () => void;
  error?: unknown;
  completed: boolean;
}

interface StageOptions {
  readonly call?: ToolPart;
  /** How the store handles `call.started`. */
  readonly flush?: () => Promise<void>;
  /** Whether this tab acquires the session. */
  readonly own?: () => Promise<void>;
  /** The presenter of the agent. */
  readonly present?: Presenter;
  readonly onError?: ErrorListener;
}

function run(tool: Tool | undefined, options: StageOptions = {}): Stage {
  const ports = createManualPorts();
  const { own = () => Promise.resolve() } = options;
  const flush = vi.fn(options.flush ?? (() => Promise.resolve()));
  const stage: Stage = { events: [], ports, flush, completed: false, unsubscribe: () => subscription.unsubscribe() };
  const state = initialState('s');
  const env = {
    log: { getState: () => state, peek: createFolding(state).getRecent },
    sessionId: 's',
    tools: new Map(tool && [['add', tool]]),
    getClient: () => expect.unreachable(),
    toRequest: () => expect.unreachable(),
    meta: createMeta(),
    agentName: '',
    context: noContext,
    present: options.present,
    onError: options.onError,
    ports,
    own,
    flush,
  };
  const step = { do: 'execute', call: options.call ?? call } as const;
  const subscription = perform(step, env).subscribe({
    next: (event) => stage.events.push(event),
    error: (error: unknown) => (stage.error = error),
    complete: () => (stage.completed = true),
  });
  return stage;
}

/** The final events of a call. */
async function resultOf(tool: Tool, options?: StageOptions): Promise<EventBody | undefined> {
  const stage = run(tool, options);
  await settled();
  expect(stage).toMatchObject({ completed: true });
  expect(stage.events).toHaveLength(2);
  return stage.events[1];
}

function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve = (_value: T): void => {};
  let reject = (_error: unknown): void => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

describe('before a tool runs', () => {
  test('call.started is appended at once', () => {
    const stage = run(toolThat(() => 1));
    expect(stage.events).toEqual([started]);
  });

  test('call.started is stored', async () => {
    const gate = deferred();
    const ran = vi.fn(() => 1);
    const stage = run(toolThat(ran), { flush: () => gate.promise });
    await settled();
    expect(stage.flush).toHaveBeenCalledExactlyOnceWith('strict');
    expect(ran).not.toHaveBeenCalled();
    gate.resolve();
    await settled();
    expect(ran).toHaveBeenCalledOnce();
    expect(stage.events.map(({ type }) => type)).toEqual(['call.started', 'call.ended']);
  });

  test('nothing happens without a subscriber', () => {
    const flush = vi.fn(() => Promise.resolve());
    toolThat(() => expect.unreachable())[engine].execute(call, {
      sessionId: 's',
      ports: createManualPorts(),
      own: () => Promise.resolve(),
      flush,
    });
    expect(flush).not.toHaveBeenCalled();
  });

  test('a full disk stops the tool and the run', async () => {
    const full = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
    const ran = vi.fn();
    const stage = run(toolThat(ran), { flush: () => Promise.reject(full) });
    await settled();
    expect(ran).not.toHaveBeenCalled();
    expect(stage.events).toEqual([
      started,
      {
        type: 'call.ended',
        callId: 'c',
        outcome: 'failed',
        reason: 'not-recorded',
        output: expect.stringContaining('Not run'),
      },
    ]);
    expect(stage.error).toBe(full);
    expect(stage.completed).toBe(false);
  });

  test('this tab has acquired the session: no other tab runs it', async () => {
    const gate = deferred();
    const ran = vi.fn(() => 1);
    const stage = run(toolThat(ran), { own: () => gate.promise });
    await settled();
    expect(ran).not.toHaveBeenCalled();
    expect(stage.flush).not.toHaveBeenCalled();
    gate.resolve();
    await settled();
    expect(ran).toHaveBeenCalledOnce();
  });

  test('a tab that has taken over the session stops the tool and the run', async () => {
    const taken = new AgentError('taken', { code: 'SESSION_READ_ONLY' });
    const ran = vi.fn();
    const stage = run(toolThat(ran), { own: () => Promise.reject(taken) });
    await settled();
    expect(ran).not.toHaveBeenCalled();
    expect(stage.error).toBe(taken);
  });

  test('the tool must still exist', () => {
    const stage = run(undefined);
    expect(stage.events).toEqual([]);
    expect(stage.error).toMatchObject({ code: 'TOOL_NOT_FOUND', message: expect.stringContaining('"add"') });
  });

  test.each<[string, ToolPart]>([
    ['what the model asked for', { ...call, input: { n: 'x' } }],
    ['what a person made of it', { ...call, editedInput: { n: 'x' } }],
    ['a missing input', { type: 'tool', callId: 'c', name: 'add', status: 'approved', inputText: '' }],
  ])('%s is checked again', async (_what, call) => {
    const execute = vi.fn();
    const tool = defineTool({ name: 'add', description: '', input: z.object({ n: z.number() }), execute });
    expect(await resultOf(tool, { call })).toEqual({
      type: 'call.ended',
      callId: 'c',
      outcome: 'failed',
      reason: 'schema',
      output: expect.stringContaining('input.n'),
    });
    expect(execute).not.toHaveBeenCalled();
  });

  test('a cancel still prevents its start', async () => {
    const gate = deferred();
    const ran = vi.fn();
    const stage = run(toolThat(ran), { flush: () => gate.promise });
    stage.unsubscribe();
    gate.resolve();
    await settled();
    expect(ran).not.toHaveBeenCalled();
  });

  test('a cancel during the check of its input still prevents its start', async () => {
    const checking = deferred<{ value: object }>();
    const input = {
      '~standard': {
        version: 1,
        vendor: 'slow',
        validate: () => checking.promise,
        jsonSchema: { input: () => ({ type: 'object' }) },
      },
    };
    const ran = vi.fn();
    const stage = run(defineTool({ name: 'add', description: '', input: input as InputSchema, execute: ran }));
    await settled();
    stage.unsubscribe();
    checking.resolve({ value: {} });
    await settled();
    expect(ran).not.toHaveBeenCalled();
    expect(stage.events).toEqual([started]);
  });
});

describe('a tool', () => {
  async function seenBy(call: ToolPart): Promise<{ readonly input: unknown; readonly context: ToolContext }> {
    const seen = vi.fn<(input: JsonObject, context: ToolContext) => string>(() => 'ok');
    await resultOf(toolThat(seen), { call });
    const [input, context] = seen.mock.calls[0] ?? expect.unreachable();
    return { input, context };
  }

  test('receives the input and the context of its call', async () => {
    const { input, context } = await seenBy(call);
    expect(input).toEqual({ n: 1 });
    expect(context).toEqual({
      sessionId: 's',
      callId: 'c',
      idempotencyKey: 's/c',
      attempt: 1,
      progress: expect.any(Function),
      signal: expect.any(AbortSignal),
    });
    expect(context.signal.aborted).toBe(false);
  });

  test('receives the input that a person has edited', async () => {
    expect((await seenBy({ ...call, editedInput: { n: 5 } })).input).toEqual({ n: 5 });
  });

  test('receives the same key for each attempt, and another key for another call', async () => {
    const keys = [call, call, { ...call, callId: 'd' }].map(async (one) => (await seenBy(one)).context.idempotencyKey);
    const [first, again, other] = await Promise.all(keys);
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  class Point {
    readonly x = 1;
  }
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  test.each<[string, object | undefined | string | number | null | boolean, unknown]>([
    ['nothing', undefined, null],
    ['text', 'three', 'three'],
    ['empty text', '', ''],
    ['a number', 3, 3],
    ['null', null, null],
    ['false', false, false],
    ['JSON', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [
      'parts',
      [{ type: 'image', mediaType: 'image/png', data: 'AA==' }],
      [{ type: 'image', mediaType: 'image/png', data: 'AA==' }],
    ],
    ['a date, as JSON does', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an object with something undefined', { a: 1, b: undefined }, { a: 1 }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('may return %s', async (_what, value, output) => {
    expect(await resultOf(toolThat(() => value))).toEqual({
      type: 'call.ended',
      callId: 'c',
      outcome: 'succeeded',
      output,
    });
  });

  test.each<[string, unknown, string]>([
    ['a function', () => 1, 'function'],
    ['a symbol', Symbol('s'), 'symbol'],
    ['a BigInt', 1n, 'bigint'],
    ['a Map', new Map([[1, 2]]), 'Map'],
    ['a Set within', { found: [new Set([1])] }, 'Set'],
    ['a function within', { a: 1, run: () => 1 }, 'function'],
    ['an object of a class', new Point(), 'Point'],
    ['a Response', new Response('x'), 'Response'],
    ['a cycle', cycle, 'circular'],
    [
      'what cannot be read',
      {
        get a() {
          return fails(new SyntaxError('no JSON'));
        },
      },
      'JSON',
    ],
  ])('fails with %s', async (_what, value, why) => {
    const event = await resultOf(toolThat(() => Promise.resolve(value as object)));
    expect(event).toEqual({ type: 'call.ended', callId: 'c', outcome: 'failed', output: expect.stringContaining(why) });
  });

  test('returns a copy, independent of the tool’s own object', async () => {
    const list = [1];
    const event = await resultOf(toolThat(() => list, { present: () => ({ details: { type: 'json', value: list } }) }));
    list.push(2);
    expect(event).toMatchObject({ output: [1], details: { value: [1] } });
  });

  test.each<[string, unknown, string]>([
    ['an Error', new Error('no way'), 'no way'],
    ['a string', 'no way', 'no way'],
    ['nothing', undefined, 'undefined'],
    ['an error of ours', new AgentError('no way', { code: 'ABORTED' }), 'no way'],
  ])('that throws %s has failed, and the run continues', async (_what, thrown, output) => {
    const failed = { type: 'call.ended', callId: 'c', outcome: 'failed', output };
    expect(await resultOf(toolThat(() => fails(thrown)))).toEqual(failed);
    expect(await resultOf(toolThat(() => Promise.resolve().then(() => fails(thrown))))).toEqual(failed);
  });

  test('passes what it throws to the listener, with its stack; a listener that throws changes nothing', async () => {
    const bug = new TypeError('no way');
    const heard: unknown[] = [];
    const onError: ErrorListener = (error, source) => {
      heard.push([error.code, error.cause, source]);
      throw new Error('listener');
    };
    const stage = run(
      toolThat(() => fails(bug)),
      { onError },
    );
    await settled();
    expect(heard).toEqual([['TOOL_FAILED', bug, { sessionId: 's', callId: 'c' }]]);
    expect(stage.events.at(-1)).toMatchObject({ outcome: 'failed', output: 'no way' });
  });

  test('passes nothing to the listener when the run was cancelled', async () => {
    const heard: unknown[] = [];
    const untilAborted = toolThat(
      (_input, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    const stage = run(untilAborted, { onError: (error) => heard.push(error) });
    await settled();
    stage.unsubscribe();
    await settled();
    expect(heard).toEqual([]);
  });
});

describe('a tool with a timeout', () => {
  test('is stopped at its timeout', async () => {
    let signal: AbortSignal | undefined;
    const never = toolThat(
      (_input, context) => {
        ({ signal } = context);
        return new Promise(() => {});
      },
      { timeout: 500 },
    );
    const stage = run(never);
    await settled();
    stage.ports.pass(499);
    await settled();
    expect(signal?.aborted).toBe(false);
    expect(stage.events).toEqual([started]);
    stage.ports.pass(1);
    await settled();
    expect(stage.events[1]).toEqual({
      type: 'call.ended',
      callId: 'c',
      outcome: 'timed-out',
      reason: 'timeout',
      timeout: 500,
      output: expect.stringContaining('500 ms'),
    });
    expect(signal?.aborted).toBe(true);
    expect(stage.completed).toBe(true);
  });

  test('has no result after its timeout', async () => {
    const gate = deferred<string>();
    const stage = run(toolThat(() => gate.promise, { timeout: 500 }));
    await settled();
    stage.ports.pass(500);
    await settled();
    gate.reject(new Error('late'));
    await settled();
    expect(stage.events).toHaveLength(2);
    expect(stage.error).toBeUndefined();
  });

  test('leaves no timer', async () => {
    const stage = run(toolThat(() => 1, { timeout: 500 }));
    await settled();
    expect(stage.events[1]).toMatchObject({ outcome: 'succeeded' });
    expect(stage.ports.awaited()).toBe(0);
  });

  test('does not count the time that the store takes', async () => {
    const gate = deferred();
    const stage = run(
      toolThat(() => 'done', { timeout: 500 }),
      { flush: () => gate.promise },
    );
    stage.ports.pass(10_000);
    gate.resolve();
    await settled();
    expect(stage.events[1]).toMatchObject({ outcome: 'succeeded' });
  });

  test('has no time limit by default', async () => {
    const stage = run(toolThat(() => new Promise(() => {})));
    await settled();
    expect(stage.ports.awaited()).toBe(0);
  });
});

describe('the signal of a tool', () => {
  test('does not abort after the tool has ended', async () => {
    const aborted = vi.fn();
    await resultOf(
      toolThat((_input, { signal }) => {
        signal.addEventListener('abort', aborted);
        return 1;
      }),
    );
    expect(aborted).not.toHaveBeenCalled();
  });
});

describe('a tool whose run is cancelled', () => {
  test('is notified through its signal, and its result is dropped', async () => {
    const gate = deferred<string>();
    let signal: AbortSignal | undefined;
    const stage = run(
      toolThat((_input, context) => {
        ({ signal } = context);
        return gate.promise;
      }),
    );
    await settled();
    expect(signal?.aborted).toBe(false);
    stage.unsubscribe();
    expect(signal?.aborted).toBe(true);
    gate.resolve('late');
    await settled();
    expect(stage.events).toEqual([started]);
    expect(stage.completed).toBe(false);
  });

  test('may fail because of the abort without an error', async () => {
    const stage = run(
      toolThat(
        (_input, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      ),
    );
    await settled();
    stage.unsubscribe();
    await settled();
    expect(stage.events).toEqual([started]);
    expect(stage.error).toBeUndefined();
  });
});

describe('the presentation of a result', () => {
  test('is made from input and output', async () => {
    const present: Options['present'] = ({ n }, output) => ({
      summary: JSON.stringify([n, output]),
      details: { type: 'text', text: 'more' },
    });
    expect(await resultOf(toolThat(() => 2, { present }))).toEqual({
      type: 'call.ended',
      callId: 'c',
      outcome: 'succeeded',
      output: 2,
      summary: '[1,2]',
      details: { type: 'text', text: 'more' },
    });
  });

  test('is made from the stored form of the output', async () => {
    const present = vi.fn(() => ({}));
    await resultOf(toolThat(() => ({ at: new Date(0) }), { present }));
    expect(present).toHaveBeenCalledExactlyOnceWith({ n: 1 }, { at: '1970-01-01T00:00:00.000Z' });
  });

  test.each<[string, NonNullable<Options['present']>]>([
    ['throws', () => fails(new Error('no'))],
    [
      'makes what cannot be stored',
      () => ({ summary: 's', details: { type: 'json', value: new Map() as unknown as null } }),
    ],
    ['makes nothing', () => null as unknown as Presentation],
  ])('is absent if the presenter %s', async (_what, present) => {
    expect(await resultOf(toolThat(() => 2, { present }))).toEqual({
      type: 'call.ended',
      callId: 'c',
      outcome: 'succeeded',
      output: 2,
    });
  });

  test('is absent if the tool has failed', async () => {
    const present = vi.fn(() => ({ summary: 's' }));
    expect(await resultOf(toolThat(() => fails(new Error('no')), { present }))).not.toHaveProperty('summary');
    expect(present).not.toHaveBeenCalled();
  });
});
