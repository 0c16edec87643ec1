import type { SessionEvent } from 'brooklet';
import { evolve, eventVersion, initialState } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Upcaster, upcast, upcastLog } from '../../../src/core/model/upcast.ts';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

// Invented versions: 0 names a text `t`, 1 names it `text`, 2 adds a format.
const steps: { readonly [version: number]: Upcaster } = {
  0: ({ t, ...rest }) => ({ ...rest, text: t }),
  1: (record) => ({ ...record, format: 'plain' }),
};

describe('a record of an older version', () => {
  test('is upgraded to the current version step by step', () => {
    expect(upcast({ type: 'text.delta', t: 'Hi', v: 0 }, steps, 1)).toEqual({ type: 'text.delta', text: 'Hi', v: 1 });
    const present = { type: 'text.delta', text: 'Hi', format: 'plain', v: 2 };
    expect(upcast({ type: 'text.delta', t: 'Hi', v: 0 }, steps, 2)).toEqual(present);
    expect(upcast({ type: 'text.delta', text: 'Hi', v: 1 }, steps, 2)).toEqual(present);
  });

  test('folds like a record of the current version', () => {
    const old = { type: 'session.started', sessionId: 's', t: 'x', seq: 1, at: 1, v: 0 };
    const present = upcast(old, { 0: ({ t: title, ...rest }) => ({ ...rest, title }) });
    const events: readonly SessionEvent[] = JSON.parse(JSON.stringify([present]));
    expect(events.reduce(evolve, initialState('s')).title).toBe('x');
  });

  test('is not mutated', () => {
    const record = Object.freeze({ t: 'Hi', v: 0 });
    upcast(record, steps, 2);
    expect(record).toEqual({ t: 'Hi', v: 0 });
  });

  test('keeps its version if there is no upcaster for it', () => {
    for (const v of [-1, 0, 0.5, Number.NaN]) expect(upcast({ v }, {}, 1)).toEqual({ v });
    expect(upcast({ v: 0 }, { 1: (record) => record }, 2)).toEqual({ v: 0 });
  });
});

test('records of the current version and of newer versions, and values that are not records, stay unchanged', () => {
  for (const record of [{ v: eventVersion }, { v: 99 }, { v: '0' }, {}, [], null, undefined, 'text', 7])
    expect(upcast(record)).toBe(record);
});

test('the keys __proto__ and constructor are handled like others', () => {
  const record: unknown = JSON.parse('{"v":0,"t":"x","__proto__":{"polluted":true},"constructor":{"prototype":1}}');
  const present = upcast(record, steps, 2);
  expect(JSON.stringify(present)).toBe(
    '{"v":2,"__proto__":{"polluted":true},"constructor":{"prototype":1},"text":"x","format":"plain"}',
  );
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(upcast(JSON.parse('{"v":"__proto__"}'), steps, 2)).toEqual({ v: '__proto__' });
});

test('a record whose version is no number stays unchanged', () => {
  const record = { type: 'call.held', callId: 'c', v: '1' };
  expect(upcast(record)).toBe(record);
});

test('a log of the current version is the same array, and one event of an older version is upgraded alone', () => {
  const event = { type: 'rule.revoked', name: 'pay', seq: 1, at: 1, v: eventVersion } as const;
  const log: readonly SessionEvent[] = [event];
  expect(upcastLog(log)).toBe(log);
  const mixed: readonly SessionEvent[] = JSON.parse(
    JSON.stringify([event, { type: 'decision.revoked', name: 'pay', seq: 2, at: 1, v: 1 }]),
  );
  expect(upcastLog(mixed)).toEqual([event, { ...event, seq: 2 }]);
});

test('any input gives the same output twice, and nothing throws', () => {
  const record = fc.oneof(fc.jsonValue(), fc.record({ v: fc.integer({ min: -2, max: 4 }), t: fc.string() }));
  assertMeeting(
    { 'an older record': 5 },
    (met) =>
      fc.property(record, (one) => {
        const present = upcast(one, steps, 2);
        if (present !== one) met('an older record');
        expect(upcast(one, steps, 2)).toEqual(present);
        expect(upcast(present, steps, 2)).toEqual(present);
      }),
    seeded(),
  );
});

describe('version 1 in the words of version 2', () => {
  const decided = (fields: object): unknown =>
    upcast({ type: 'call.decided', callId: 'c', verdict: 'approved', ...fields, v: 1 });

  test.each([
    ['a user', { by: 'person', who: 'Ada' }, { decidedBy: 'user', userName: 'Ada' }],
    ['a user with words for the model', { by: 'person', told: 'No.' }, { decidedBy: 'user', rejectionText: 'No.' }],
    ['time', { by: 'policy', verdict: 'expired' }, { decidedBy: 'timeout', verdict: 'expired' }],
    ['a rule that approves', { by: 'policy', binding: 'b' }, { decidedBy: 'rule', toolVersion: 'b' }],
    ['a rule that rejects', { by: 'policy', verdict: 'rejected' }, { decidedBy: 'rule', verdict: 'rejected' }],
    ['a tool that asks for no approval', { by: 'policy' }, { decidedBy: 'policy' }],
  ])('a decision of %s', (_who, before, after) => {
    expect(decided(before)).toEqual({ type: 'approval.decided', callId: 'c', verdict: 'approved', ...after, v: 2 });
  });

  test('a call that awaits approval, in its event and in a message', () => {
    const held = { type: 'call.held', callId: 'c', binding: 'b', question: { type: 'string' }, expiresAt: 5, v: 1 };
    expect(upcast(held)).toEqual({
      type: 'approval.requested',
      callId: 'c',
      toolVersion: 'b',
      elicitation: { type: 'string' },
      expiresAt: 5,
      v: 2,
    });
    const part = { type: 'tool', callId: 'c', status: 'held', approval: { binding: 'b', question: {} } };
    const content = [{ type: 'text', text: 'held' }, part];
    expect(upcast({ type: 'message.added', message: { id: 'a', content }, v: 1 })).toEqual({
      type: 'message.added',
      message: {
        id: 'a',
        content: [
          { type: 'text', text: 'held' },
          { ...part, status: 'awaiting-approval', approval: { toolVersion: 'b', elicitation: {} } },
        ],
      },
      v: 2,
    });
  });

  test('a part that is no call, and a call that does not wait, keeps its fields', () => {
    const content = [
      { type: 'text', text: 'Hi', status: 'held' },
      { type: 'tool', callId: 'c', status: 'succeeded' },
      'no part',
    ];
    const record = { type: 'message.added', message: { id: 'm', content }, v: 1 };
    expect(upcast(record)).toEqual({ ...record, v: 2 });
  });

  test('what nobody understands keeps its fields', () => {
    const odd = { type: 'moon.landed', by: 'person', pace: 1, v: 1 };
    expect(upcast(odd)).toEqual({ ...odd, v: 2 });
    expect(upcast({ type: 'message.added', message: 7, v: 1 })).toEqual({ type: 'message.added', message: 7, v: 2 });
  });
});

describe('a record of version 1', () => {
  const v1 = (record: object): unknown => upcast({ ...record, seq: 1, at: 1, v: 1 });

  test.each<[string, object, object]>([
    ['a revoked decision', { type: 'decision.revoked', name: 'add' }, { type: 'rule.revoked', name: 'add' }],
    [
      'a compaction by the user',
      { type: 'context.compacted', cause: 'person' },
      { type: 'context.compacted', cause: 'user' },
    ],
    [
      'a compaction at the limit',
      { type: 'context.compacted', cause: 'limit' },
      { type: 'context.compacted', cause: 'limit' },
    ],
    [
      'a compaction that failed',
      { type: 'context.compaction-failed', cause: 'person' },
      { type: 'context.compaction-failed', cause: 'user' },
    ],
    [
      'a message whose content is no list',
      { type: 'message.added', message: { id: 'm', content: 'text' } },
      { type: 'message.added', message: { id: 'm', content: 'text' } },
    ],
    ['an event without a message', { type: 'message.added' }, { type: 'message.added' }],
  ])('has the present names: %s', (_what, old, present) => {
    expect(v1(old)).toEqual({ ...present, seq: 1, at: 1, v: 2 });
  });
});
