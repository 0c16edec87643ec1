import type { SessionEvent } from 'brooklet';
import { coalesce, evolve, initialState } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rewrite } from '../../../src/core/model/rewrite.ts';
import { type DeltaEvent, isDelta } from '../../../src/core/model/event.ts';
import { anyEvents, eventLogs, fold, patient, stamp } from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

const runs = seeded(600);

/** A log in a store after some writes, and the unsaved rest: cut anywhere, each write coalesced separately. */
const halfStored = (logs: fc.Arbitrary<readonly SessionEvent[]>) =>
  fc.tuple(logs, fc.array(fc.nat(120), { maxLength: 8 })).map(([log, places]) => {
    const cuts = [...new Set(places.filter((at) => at <= log.length))].sort((one, other) => one - other);
    const groups = [...cuts, log.length].map((end, index) => coalesce(log.slice(cuts[index - 1] ?? 0, end)));
    return { log, stored: groups.slice(0, -1).flat(), fresh: groups.at(-1) ?? [] };
  });

/** The content of a store after such a write: first the removals, then the replacements. */
function apply(
  stored: readonly SessionEvent[],
  { events, replaces }: ReturnType<typeof rewrite>,
): readonly SessionEvent[] {
  const left = stored.filter(({ seq }) => !replaces.some(([from, to]) => from <= seq && seq <= to));
  return [...left, ...events].sort((one, other) => one.seq - other.seq);
}

const textOf = (events: readonly SessionEvent[]): string =>
  events.map((event) => (isDelta(event) ? event.text : '')).join('');

describe('coalesce', patient, () => {
  test('joins adjacent events of the same part into one event with the position of the last', () => {
    const log = stamp([
      { type: 'text.delta', text: 'a' },
      { type: 'text.delta', text: 'b' },
      { type: 'reasoning.delta', text: 'c' },
      { type: 'reasoning.delta', text: 'd' },
      { type: 'call.delta', callId: '1', name: 'add', text: '{' },
      { type: 'call.delta', callId: '1', text: '}' },
    ]);
    expect(coalesce(log)).toEqual([
      { type: 'text.delta', text: 'ab', since: 1, seq: 2, at: 20, v: 2 },
      { type: 'reasoning.delta', text: 'cd', since: 3, seq: 4, at: 40, startedAt: 30, v: 2 },
      { type: 'call.delta', callId: '1', name: 'add', text: '{}', since: 5, seq: 6, at: 60, v: 2 },
    ]);
  });

  test.each<[string, readonly SessionEvent[]]>([
    [
      'different kinds of text',
      stamp([
        { type: 'text.delta', text: 'a' },
        { type: 'reasoning.delta', text: 'b' },
      ]),
    ],
    [
      'different calls',
      stamp([
        { type: 'call.delta', callId: '1', text: 'a' },
        { type: 'call.delta', callId: '2', text: 'b' },
      ]),
    ],
    [
      'sealed reasoning',
      stamp([
        { type: 'reasoning.delta', text: 'a', provider: 's' },
        { type: 'reasoning.delta', text: 'b' },
      ]),
    ],
    ['events that are no text', stamp([{ type: 'session.cleared' }, { type: 'session.cleared' }])],
    [
      'text with something between',
      stamp([
        { type: 'text.delta', text: 'a' },
        { type: 'session.renamed', title: 't' },
        { type: 'text.delta', text: 'b' },
      ]),
    ],
  ])('leaves %s separate', (_what, log) => {
    expect(coalesce(log)).toEqual(log);
  });

  test('closes a part with the last seal', () => {
    const log = stamp([
      { type: 'reasoning.delta', text: 'a' },
      { type: 'reasoning.delta', text: '', provider: 'seal' },
    ]);
    expect(coalesce(log)).toMatchObject([{ text: 'a', provider: 'seal' }]);
  });

  test.each<[string, () => fc.Arbitrary<readonly SessionEvent[]>]>([
    ['a log as an agent writes it', eventLogs],
    ['any log', () => anyEvents],
  ])('keeps the folded state of %s', (_what, logs) => {
    assertMeeting(
      { 'joined events': 20 },
      (met) =>
        fc.property(logs(), (log) => {
          const joined = coalesce(log);
          if (joined.length < log.length) met('joined events');
          expect(fold(joined)).toEqual(fold(log));
        }),
      runs,
    );
  });

  test('changes nothing the second time', () => {
    assertMeeting(
      { 'joined events': 20 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          const joined = coalesce(log);
          if (joined.length < log.length) met('joined events');
          expect(coalesce(joined)).toEqual(joined);
        }),
      runs,
    );
  });

  test('accepts 20,000 chunks at once', () => {
    const log = stamp(Array.from({ length: 20_000 }, () => ({ type: 'text.delta', text: 'x' }) as const));
    expect(coalesce(log)).toMatchObject([{ seq: 20_000, text: 'x'.repeat(20_000) }]);
  });
});

test('a delta with a cadence is complete: it is joined with no other', () => {
  const [one, two] = stamp([
    { type: 'text.delta', text: 'a', cadence: [0, 1] },
    { type: 'text.delta', text: 'b' },
  ]);
  if (!one || !two) expect.unreachable();
  expect(coalesce([one, two])).toEqual([one, two]);
  expect(coalesce([two, one])).toEqual([two, one]);
});

/** The event that a run's end makes of the pieces of one part. */
const partOf = (pieces: readonly DeltaEvent[]): DeltaEvent =>
  rewrite(pieces, []).events.filter(isDelta)[0] ?? expect.unreachable();

describe('the cadence of a part', patient, () => {
  const pieces = fc
    .array(fc.record({ text: fc.string(), ms: fc.nat(500) }), { minLength: 2, maxLength: 30 })
    .map((pieces): readonly [DeltaEvent, ...DeltaEvent[]] => {
      let at = 1_000;
      const [first, ...others] = pieces.map(({ text, ms }, seq): DeltaEvent => ({
        type: 'text.delta',
        text,
        seq,
        at: (at += ms),
        v: 2,
      }));
      return first === undefined ? expect.unreachable() : [first, ...others];
    });

  test('contains all characters and the whole time', () => {
    assertMeeting(
      { 'several chunks': 50 },
      (met) =>
        fc.property(pieces, (pieces) => {
          const { text, cadence = [], at } = partOf(pieces);
          if (pieces.length > 1) met('several chunks');
          expect(text).toBe(textOf(pieces));
          expect(cadence.length).toBe(pieces.length * 2);
          expect(sum(cadence.filter((_, index) => index % 2 === 1))).toBe(text.length);
          expect(sum(cadence.filter((_, index) => index % 2 === 0))).toBe(at - pieces[0].at);
        }),
      runs,
    );
  });

  test('starts with the first chunk and records the delay of each later one', () => {
    const [one, two, three] = stamp([
      { type: 'call.delta', callId: '1', name: 'add', text: '{"n"' },
      { type: 'call.delta', callId: '1', text: ':' },
      { type: 'call.delta', callId: '1', text: '10}' },
    ]).filter(isDelta);
    if (!one || !two || !three) expect.unreachable();
    expect(partOf([one, two, { ...three, at: 520 }])).toEqual({
      type: 'call.delta',
      callId: '1',
      name: 'add',
      text: '{"n":10}',
      cadence: [0, 4, 10, 1, 500, 3],
      since: 1,
      seq: 3,
      at: 520,
      v: 2,
    });
  });
});

describe('the rewrite of a run', patient, () => {
  test('stores the run contiguously, with the chunks of each part as one event', () => {
    const log = stamp([
      { type: 'reply.started', messageId: 'a' },
      { type: 'text.delta', text: 'a' },
      { type: 'text.delta', text: 'b' },
      { type: 'call.requested', callId: '1', name: 'add', inputText: '{}' },
      { type: 'text.delta', text: 'c' },
      { type: 'text.delta', text: 'd' },
      { type: 'reply.ended', finish: 'stop' },
    ]);
    const { events, replaces, phase } = rewrite(log.slice(0, 5), log.slice(5));
    expect(phase).toBe('settled');
    expect(replaces).toEqual([[1, 6]]);
    expect(events).toMatchObject([
      log[0] ?? {},
      { text: 'ab', seq: 3, since: 2, cadence: [0, 1, 10, 1] },
      log[3] ?? {},
      { text: 'cd', seq: 6, since: 5, cadence: [0, 1, 10, 1] },
      { type: 'reply.ended', seq: 7 },
    ]);
  });

  test('leaves a large event in place, and does not write it again', () => {
    const log = stamp([
      { type: 'reply.started', messageId: 'a' },
      { type: 'call.ended', callId: '1', outcome: 'succeeded', output: 'x'.repeat(2_000) },
      { type: 'text.delta', text: 'y'.repeat(2_000) },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'reply.started', messageId: 'b' },
      { type: 'text.delta', text: 'a' },
      { type: 'text.delta', text: 'b' },
      { type: 'call.ended', callId: '2', outcome: 'succeeded', output: 'x'.repeat(2_000) },
    ]);
    const { events, replaces } = rewrite(log.slice(0, 7), log.slice(7));
    expect(replaces).toEqual([
      [1, 1],
      [4, 7],
    ]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 4, 5, 7, 8]);
  });

  test('does nothing for an empty run', () => {
    expect(rewrite([], [])).toEqual({ events: [], replaces: [], phase: 'settled' });
  });

  test.each<[string, () => fc.Arbitrary<readonly SessionEvent[]>]>([
    ['a log as an agent writes it', eventLogs],
    ['any log', () => anyEvents],
  ])('keeps the visible state, wherever %s was cut', (_what, logs) => {
    assertMeeting(
      { 'replaced rows': 20 },
      (met) =>
        fc.property(halfStored(logs()), ({ log, stored, fresh }) => {
          const write = rewrite(stored, fresh);
          if (write.replaces.length > 0) met('replaced rows');
          expect(fold(apply(stored, write))).toEqual(fold(log));
        }),
      runs,
    );
  });

  test('leaves each part as one event, in ascending positions without duplicates', () => {
    assertMeeting(
      { 'replaced rows': 20 },
      (met) =>
        fc.property(halfStored(eventLogs()), ({ log, stored, fresh }) => {
          const write = rewrite(stored, fresh);
          if (write.replaces.length > 0) met('replaced rows');
          const result = apply(stored, write);
          expect(coalesce(result)).toHaveLength(result.length);
          expect(textOf(result)).toBe(textOf(log));
          for (const events of [write.events, result]) {
            expect(events.every(({ seq }, index) => index === 0 || seq > (events[index - 1]?.seq ?? 0))).toBe(true);
          }
        }),
      runs,
    );
  });

  test('writes back everything that it removes', () => {
    assertMeeting(
      { 'removed events': 20 },
      (met) =>
        fc.property(halfStored(eventLogs()), ({ stored, fresh }) => {
          const { replaces, events } = rewrite(stored, fresh);
          const removed = stored.filter(({ seq }) => replaces.some(([from, to]) => from <= seq && seq <= to));
          if (removed.length > 0) met('removed events');
          expect(textOf(events)).toHaveLength(textOf(removed).length + textOf(fresh).length);
          const whole = [...removed, ...fresh].filter((event) => !isDelta(event));
          expect(events.filter((event) => !isDelta(event))).toEqual(whole);
        }),
      runs,
    );
  });

  test('can be repeated on a rewritten log', () => {
    const log = stamp([
      { type: 'run.started', runId: 'r' },
      { type: 'reply.started', messageId: 'a' },
      { type: 'text.delta', text: 'a' },
      { type: 'text.delta', text: 'b' },
    ]);
    const once = apply(log, rewrite(log, []));
    expect(once).toHaveLength(3);
    expect(apply(once, rewrite(once, []))).toEqual(once);
    expect(once.reduce(evolve, initialState('s'))).toEqual(fold(log));
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
