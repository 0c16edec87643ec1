import { isToolExecution, mergeToolMessages, type MergeOptions, type ToolResult, type ToolUse } from 'brooklet/tools';
import fc from 'fast-check';
import { from, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createManualPorts, type ManualPorts } from '../support/ports.ts';
import { seeded } from '../support/seeded.ts';

const use = (id: string, more: Partial<ToolUse> = {}): ToolUse => ({
  type: 'tool_use',
  id,
  name: 'Read',
  input: { file_path: 'a.ts' },
  ...more,
});

const result = (toolUseId: string, more: Partial<ToolResult> = {}): ToolResult => ({
  type: 'tool_result',
  toolUseId,
  output: 'text',
  ...more,
});

interface Other {
  readonly type: string;
}

/** A stream of another agent that the test controls, and the merged output. */
function stage(options: MergeOptions = {}): {
  readonly ports: ManualPorts;
  readonly source: Subject<Other>;
  readonly out: Other[];
  readonly ends: string[];
  readonly unsubscribe: () => void;
} {
  const ports = createManualPorts();
  const source = new Subject<Other>();
  const out: Other[] = [];
  const ends: string[] = [];
  const subscription = source.pipe(mergeToolMessages({ ports, ...options })).subscribe({
    next: (message) => out.push(message),
    error: (error: unknown) => ends.push(`error ${String(error)}`),
    complete: () => ends.push('complete'),
  });
  return { ports, source, out, ends, unsubscribe: () => subscription.unsubscribe() };
}

describe('mergeToolMessages', () => {
  it('makes one tool_execution of a use and its result', () => {
    const { source, out, ports } = stage();
    source.next(use('1', { timestamp: 5_000 }));
    expect(out).toEqual([]);
    source.next(result('1', { timestamp: 5_250 }));

    expect(out).toEqual([
      {
        type: 'tool_execution',
        toolName: 'Read',
        toolUseId: '1',
        input: { file_path: 'a.ts' },
        output: 'text',
        isError: false,
        durationMs: 250,
        summary: 'Read a.ts',
        details: { type: 'text', text: 'text' },
        timestamp: 5_000,
      },
    ]);
    expect(ports.awaited()).toBe(0);
  });

  it('uses its own clock if the agent sends no timestamps, and parses ISO 8601', () => {
    const { source, out, ports } = stage();
    source.next(use('1'));
    ports.pass(40);
    source.next(result('1'));
    source.next(use('2', { timestamp: '2025-01-24T10:00:00.000Z' }));
    source.next(result('2', { timestamp: '2025-01-24T10:00:01.500Z' }));

    expect(out).toMatchObject([
      { timestamp: 1_000, durationMs: 40 },
      { timestamp: Date.UTC(2025, 0, 24, 10), durationMs: 1_500 },
    ]);
  });

  it('omits the duration if the clocks disagree or the timestamps are invalid', () => {
    const { source, out } = stage();
    for (const [id, began, ended] of [
      ['1', 2_000, 1_000],
      ['2', 'yesterday', 'today'],
    ] as const) {
      source.next(use(id, { timestamp: began }));
      source.next(result(id, { timestamp: ended }));
    }
    expect(out.map((message) => 'durationMs' in message)).toEqual([false, false]);
    expect(out).toMatchObject([{ timestamp: 2_000 }, { timestamp: 1_000 }]);
  });

  it('marks a failed call', () => {
    const { source, out } = stage();
    source.next(use('1'));
    source.next(result('1', { output: 'no such file', isError: true }));
    expect(out).toMatchObject([{ isError: true, summary: 'Read failed', output: 'no such file' }]);
  });

  it('presents the structured output of an agent instead of its text', () => {
    const { source, out } = stage();
    source.next(use('1', { name: 'Bash', input: { command: 'make' } }));
    source.next(result('1', { output: 'all of it', data: { stdout: 'out', stderr: 'err', exitCode: 0 } }));
    expect(out).toMatchObject([
      { output: 'all of it', details: { type: 'commandOutput', stdout: 'out', stderr: 'err' } },
    ]);
  });

  it('keeps the id of the call that started the sub-agent', () => {
    const { source, out } = stage();
    source.next(use('1', { parentToolUseId: 'task' }));
    source.next(result('1'));
    expect(out).toMatchObject([{ parentToolUseId: 'task' }]);
  });

  it('merges a result that arrives before its use', () => {
    const { source, out, ports } = stage();
    source.next(result('1'));
    ports.pass(999);
    source.next(use('1'));
    expect(out).toMatchObject([{ type: 'tool_execution', toolUseId: '1' }]);
    expect(out[0]).not.toHaveProperty('durationMs');
    expect(ports.awaited()).toBe(0);
  });

  it('emits a result without a use unchanged after the wait', () => {
    const { source, out, ports } = stage();
    const alone = result('1');
    source.next(alone);
    ports.pass(999);
    expect(out).toEqual([]);
    ports.pass(1);
    expect(out).toEqual([alone]);
    expect(out[0]).toBe(alone);
  });

  it('emits a use without a result unchanged after it has expired', () => {
    const { source, out, ports } = stage({ expiresAfter: 60_000 });
    const alone = use('1');
    source.next(alone);
    ports.pass(59_999);
    expect(out).toEqual([]);
    ports.pass(1);
    expect(out[0]).toBe(alone);
    // A late result has no use any more.
    const late = result('1');
    source.next(late);
    ports.pass(1_000);
    expect(out).toEqual([alone, late]);
  });

  it('accepts a result with name and input as complete', () => {
    const { source, out } = stage();
    source.next(result('1', { name: 'web_search', input: { query: 'rxjs' }, timestamp: 7_000 }));
    expect(out).toMatchObject([{ toolName: 'web_search', input: { query: 'rxjs' }, timestamp: 7_000 }]);
    expect(out[0]).not.toHaveProperty('durationMs');
  });

  it('prefers the fields of the use to those of the result', () => {
    const { source, out } = stage();
    source.next(use('1', { name: 'shell', input: { command: 'a' } }));
    source.next(result('1', { name: 'other', input: { command: 'b' } }));
    expect(out).toMatchObject([{ toolName: 'shell', input: { command: 'a' }, durationMs: 0 }]);
  });

  it('pairs interleaved calls by id, and calls of one id in order', () => {
    const { source, out } = stage();
    source.next(use('a', { input: { file_path: '1' } }));
    source.next(use('b', { input: { file_path: '2' } }));
    source.next(use('a', { input: { file_path: '3' } }));
    source.next(result('b', { output: 'two' }));
    source.next(result('a', { output: 'one' }));
    source.next(result('a', { output: 'three' }));
    expect(out).toMatchObject([
      { toolUseId: 'b', summary: 'Read 2', output: 'two' },
      { toolUseId: 'a', summary: 'Read 1', output: 'one' },
      { toolUseId: 'a', summary: 'Read 3', output: 'three' },
    ]);
  });

  it('emits all other messages at once, in order, unchanged', () => {
    const { source, out } = stage();
    const others = [
      { type: 'text', text: 'hi' },
      { type: 'tool_use', id: '', name: 'Read', input: {} },
      { type: 'tool_use', tool_id: 'gemini' },
      { type: 'tool_result', tool_use_id: 'anthropic' },
      { type: 'tool_result', toolUseId: 'no output' },
    ];
    source.next(use('1'));
    for (const other of others) source.next(other);
    expect(out).toHaveLength(others.length);
    for (const [index, other] of others.entries()) expect(out[index]).toBe(other);
  });

  it('emits waiting messages when the stream completes or fails, oldest first', () => {
    for (const [end, expected] of [
      [(source: Subject<Other>) => source.complete(), 'complete'],
      [(source: Subject<Other>) => source.error(new Error('cut')), 'error Error: cut'],
    ] as const) {
      const { source, out, ends, ports } = stage();
      const waiting = [use('1'), result('2'), use('3')];
      for (const message of waiting) source.next(message);
      end(source);
      expect(out).toEqual(waiting);
      expect(ends).toEqual([expected]);
      expect(ports.awaited()).toBe(0);
    }
  });

  it('keeps no more messages than its limit', () => {
    const { source, out, ports } = stage({ limit: 2 });
    for (const id of ['1', '2', '3', '4']) source.next(use(id));
    expect(out).toEqual([use('1'), use('2')]);
    expect(ports.awaited()).toBe(2);
    source.next(result('3'));
    expect(out).toMatchObject([{}, {}, { toolUseId: '3', type: 'tool_execution' }]);
  });

  it('leaves no timer and no subscription after unsubscribe', () => {
    const { source, out, ports, unsubscribe } = stage();
    source.next(use('1'));
    unsubscribe();
    expect([ports.awaited(), source.observed, out]).toEqual([0, false, []]);
  });

  it('survives a custom presenter that throws', () => {
    const presenters = {
      Read: (): never => {
        throw new Error('broken');
      },
    };
    const { source, out } = stage({ presenters });
    source.next(use('1'));
    source.next(result('1'));
    expect(out).toMatchObject([{ type: 'tool_execution', summary: 'Read a.ts' }]);
  });

  it('emits everything unchanged when disabled', () => {
    const messages = [use('1'), { type: 'text' }, result('1')];
    const out: unknown[] = [];
    from(messages)
      .pipe(mergeToolMessages({ enabled: false }))
      .subscribe((message) => out.push(message));
    expect(out).toEqual(messages);
    for (const [index, message] of messages.entries()) expect(out[index]).toBe(message);
  });

  it('makes exactly one execution of each pair, in every order, and loses no message', () => {
    const call = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      fate: fc.constantFrom('both', 'both', 'use', 'result'),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), fc.array(fc.nat({ max: 9_999 })), (calls, chances) => {
        const pieces: Other[] = calls.flatMap(({ id, fate }, index): Other[] => [
          ...(fate === 'result' ? [] : [use(id, { input: { index } })]),
          ...(fate === 'use' ? [] : [result(id, { output: index })]),
          { type: 'text' },
        ]);
        const messages = shuffle(pieces, chances);
        const { source, out, ports } = stage();
        for (const message of messages) source.next(message);
        source.complete();

        const executions = out.filter(isToolExecution);
        for (const id of ['a', 'b', 'c', 'd', 'e']) {
          const uses = messages.filter((message): message is ToolUse => 'id' in message && message.id === id);
          const results = messages.filter(
            (message): message is ToolResult => 'toolUseId' in message && message.toolUseId === id,
          );
          const merged = executions.filter(({ toolUseId }) => toolUseId === id);
          const pairs = Math.min(uses.length, results.length);
          // As many executions as pairs, and the nth use with the nth result.
          expect(merged.map(({ input, output }) => [input, output])).toEqual(
            uses.slice(0, pairs).map(({ input }, index) => [input, results[index]?.output]),
          );
          const alone = [...uses.slice(pairs), ...results.slice(pairs)];
          expect(out.filter((message) => alone.some((one) => one === message))).toHaveLength(alone.length);
        }
        const others = (list: readonly Other[]): readonly Other[] => list.filter(({ type }) => type === 'text');
        expect(others(out)).toEqual(others(messages));
        expect(out).toHaveLength(messages.length - executions.length);
        expect(ports.awaited()).toBe(0);
      }),
      seeded(200),
    );
  });
});

/** In an order determined by `chances`. */
function shuffle<T>(items: readonly T[], chances: readonly number[]): readonly T[] {
  const left = [...items];
  const order: T[] = [];
  for (let turn = 0; left.length > 0; turn += 1) {
    order.push(...left.splice((chances[turn % Math.max(1, chances.length)] ?? 0) % left.length, 1));
  }
  return order;
}
