import { type EventBody, statusOf } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSummary, waitsForPerson } from '../../../src/core/model/summary.ts';
import { waitingIn } from '../../../src/core/model/waiting-in.ts';
import { waitingCalls } from '../../../src/core/model/waiting.ts';
import { isRow } from '../../../src/sync/replica/check-rows.ts';
import { answering, eventLogs, fold, foldBodies, foldOn } from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
import { untyped } from '../../support/untyped.ts';

const call = { callId: 'c', name: 'pay', kind: 'approval', requestedAt: 7 } as const;

const requested = (callId: string, name = 'pay'): EventBody => ({
  type: 'call.requested',
  callId,
  name,
  inputText: '{"card":"4111"}',
  input: { card: '4111' },
});
const asked = (callId: string, more: object = {}): EventBody => ({ type: 'approval.requested', callId, ...more });
const ended: EventBody = { type: 'reply.ended', finish: 'tool-calls' };

describe('the row of a session that waits', () => {
  test('states the calls in the order of the reply, when each was requested and until when, and no input', () => {
    const question = { title: 'Which card?', type: 'object' };
    const state = foldBodies(
      ...answering,
      requested('c1'),
      requested('c2', 'ask_user'),
      ended,
      asked('c2', { elicitation: question }),
      asked('c1', { expiresAt: 900 }),
    );
    const { status, waiting } = toSummary(state);
    expect(status).toBe('waiting');
    expect(waiting).toEqual([
      { callId: 'c1', name: 'pay', kind: 'approval', requestedAt: state.updatedAt, expiresAt: 900 },
      { callId: 'c2', name: 'ask_user', kind: 'question', requestedAt: state.updatedAt - 10, label: 'Which card?' },
    ]);
  });

  test('states the calls that wait beside a call that runs, and those of a run that was interrupted', () => {
    const two = foldBodies(...answering, requested('c1'), requested('c2'), ended, asked('c1'), asked('c2'));
    const decided: EventBody = { type: 'approval.decided', callId: 'c1', verdict: 'approved', decidedBy: 'user' };
    const running = foldOn(two, decided, { type: 'call.started', callId: 'c1', attempt: 1 });
    const cut = foldOn(running, { type: 'run.ended', runId: 'r', outcome: 'interrupted' });
    for (const state of [running, cut]) {
      const row = toSummary(state);
      expect([row.waiting?.map(({ callId }) => callId), waitsForPerson(row)]).toEqual([['c2'], true]);
    }
    expect([toSummary(running).status, toSummary(cut).status]).toEqual(['running', 'interrupted']);
  });

  test('states the time of the reply where the state has no time of the request', () => {
    const { asked: times, ...kept } = foldBodies(...answering, requested('c1'), ended, asked('c1'));
    expect(times).toHaveLength(1);
    const [reply] = kept.messages.slice(-1);
    expect(waitingCalls(kept)).toEqual([{ ...call, callId: 'c1', requestedAt: reply?.timestamp }]);
  });

  test('leaves out a call that was requested before the last events', () => {
    const event = { seq: 9, at: 7, v: 1 } as const;
    const events = [
      { ...asked('old'), ...event },
      { ...requested('c'), ...event },
      { ...asked('c'), ...event },
    ];
    expect(waitingIn(untyped(events))).toEqual([call]);
  });

  test('states nothing once the calls are decided, cancelled or cleared', () => {
    const one = foldBodies(...answering, requested('c1'), ended, asked('c1'));
    const ends: readonly (readonly EventBody[])[] = [
      [{ type: 'approval.decided', callId: 'c1', verdict: 'rejected', decidedBy: 'user' }],
      [{ type: 'run.ended', runId: 'r', outcome: 'cancelled' }],
      [{ type: 'run.ended', runId: 'r', outcome: 'cancelled' }, { type: 'session.cleared' }],
      [{ type: 'session.imported' }],
    ];
    expect(waitsForPerson(toSummary(one))).toBe(true);
    for (const end of ends) {
      const row = toSummary(foldOn(one, ...end));
      expect(row).not.toHaveProperty('waiting');
      expect(waitsForPerson(row)).toBe(false);
    }
  });

  test('states the latest request of a call that asks again in its midst', () => {
    const decided: EventBody = { type: 'approval.decided', callId: 'c1', verdict: 'approved', decidedBy: 'user' };
    const started: EventBody = { type: 'call.started', callId: 'c1', attempt: 1 };
    const state = foldBodies(...answering, requested('c1'), ended, asked('c1'), decided, started, asked('c1'));
    expect(waitingCalls(state).map(({ requestedAt }) => requestedAt)).toEqual([state.updatedAt]);
    expect(state.asked).toHaveLength(1);
  });

  test('states 20 calls and the beginning of a long question: every list reads the row', () => {
    const ids = Array.from({ length: 25 }, (_, index) => `c${index}`);
    const state = foldBodies(
      ...answering,
      ...ids.map((id) => requested(id)),
      ended,
      ...ids.map((id) => asked(id, { elicitation: { title: 'x'.repeat(2_000) } })),
    );
    const { waiting = [] } = toSummary(state);
    expect(waiting.map(({ callId }) => callId)).toEqual(ids.slice(0, 20));
    expect(waiting[0]?.label).toBe(`${'x'.repeat(199)}…`);
    expect(waitingCalls(state)).toHaveLength(25);
  });
});

test('the end of a log names the same calls as the whole log', () => {
  let waited = 0;
  fc.assert(
    fc.property(eventLogs(), (log) => {
      for (let length = 1; length <= log.length; length++) {
        const events = log.slice(0, length);
        const state = fold(events);
        if (statusOf(state) !== 'waiting') continue;
        waited++;
        expect(waitingIn(events)).toEqual(waitingCalls(state));
      }
    }),
    seeded(1_000),
  );
  expect(waited).toBeGreaterThan(40);
});

test.each<readonly [string, unknown]>([
  ['no list', {}],
  ['an empty list', []],
  ['more calls than a row has', Array(21).fill(call)],
  ['a call without a name', [{ ...call, name: undefined }]],
  ['another kind', [{ ...call, kind: 'run' }]],
  ['a time that is a text', [{ ...call, requestedAt: '7' }]],
  ['a label longer than those of this version', [{ ...call, label: 'x'.repeat(201) }]],
])('a row of another device with %s is refused', (_what, waiting) => {
  const row = { ...toSummary(foldBodies(...answering)), seq: 4 };
  expect(isRow({ ...row, waiting: [{ ...call, expiresAt: 9, label: 'x'.repeat(200) }] })).toBe(true);
  expect(isRow(untyped({ ...row, waiting }))).toBe(false);
});
