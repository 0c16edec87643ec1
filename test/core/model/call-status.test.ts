import type { CallStatus } from 'brooklet';
import { type CallOutcome, type EventBody, findCall, isEnded, type SessionState } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { mayFollow } from '../../../src/core/model/call-status.ts';
import { answering, foldBodies, foldOn } from '../../support/events.ts';

const requested: EventBody = { type: 'call.requested', callId: 'c', name: 'add', inputText: '{}', input: {} };
const held: EventBody = { type: 'approval.requested', callId: 'c' };
const started: EventBody = { type: 'call.started', callId: 'c', attempt: 1 };
const decided = (verdict: 'approved' | 'rejected' | 'expired', more: { input?: { n: number } } = {}): EventBody => ({
  type: 'approval.decided',
  callId: 'c',
  verdict,
  decidedBy: 'user',
  ...more,
});
const ended = (outcome: CallOutcome): EventBody => ({ type: 'call.ended', callId: 'c', outcome });

/** The events that bring a call into each of its states, and there from the beginning. */
const into: Readonly<Record<CallStatus, readonly [last: EventBody, from: CallStatus | undefined]>> = {
  streaming: [{ type: 'call.delta', callId: 'c', name: 'add', text: '{' }, undefined],
  requested: [requested, 'streaming'],
  invalid: [ended('invalid'), 'requested'],
  'awaiting-approval': [held, 'requested'],
  approved: [decided('approved'), 'awaiting-approval'],
  edited: [decided('approved', { input: { n: 1 } }), 'awaiting-approval'],
  rejected: [decided('rejected'), 'awaiting-approval'],
  expired: [decided('expired'), 'awaiting-approval'],
  started: [started, 'approved'],
  succeeded: [ended('succeeded'), 'started'],
  failed: [ended('failed'), 'started'],
  'timed-out': [ended('timed-out'), 'started'],
  cancelled: [ended('cancelled'), 'requested'],
  uncertain: [ended('uncertain'), 'started'],
};

const statuses = Object.keys(into) as CallStatus[];

function pathTo(status: CallStatus): readonly EventBody[] {
  const [last, from] = into[status];
  return from === undefined ? [last] : [...pathTo(from), last];
}

const statusIn = (state: SessionState): CallStatus | undefined => findCall(state, 'c')?.call.status;
const at = (status: CallStatus): SessionState => foldBodies(...answering, ...pathTo(status));

/** What DESIGN §5 allows, as a person would write it down. */
const allowed: Readonly<Record<CallStatus, string>> = {
  streaming: 'requested cancelled',
  requested: 'awaiting-approval approved edited invalid rejected expired cancelled',
  'awaiting-approval': 'approved edited rejected expired cancelled',
  approved: 'started cancelled',
  edited: 'started cancelled',
  started: 'succeeded failed timed-out uncertain cancelled',
  succeeded: '',
  failed: '',
  'timed-out': '',
  uncertain: 'started',
  invalid: '',
  rejected: '',
  expired: '',
  cancelled: '',
};

const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

describe('a call', () => {
  test.each(statuses)('can come to be %s', (status) => {
    expect(statusIn(at(status))).toBe(status);
  });

  test.each(pairs)('that is %s is, or is not, made %s by the event that says so', (from, to) => {
    const before = at(from);
    const [event] = into[to];
    const after = foldOn(before, event);
    // Pieces of its input leave a call where it is.
    const moves = to !== from && mayFollow(from, to);
    expect(statusIn(after)).toBe(moves ? to : from);
    if (!moves && to !== 'streaming') expect(after).toEqual({ ...before, seq: after.seq, updatedAt: after.updatedAt });
  });

  test.each(statuses)('that is %s may only come to be what the design says', (from) => {
    const names = statuses.filter((to) => mayFollow(from, to));
    // A policy decides at once, and only for: the rest of what the design names goes through `held`.
    const direct = allowed[from]
      .split(' ')
      .filter((to) => !(from === 'requested' && ['edited', 'rejected', 'expired'].includes(to)));
    expect(names.sort()).toEqual(direct.filter(Boolean).sort());
  });

  test.each(statuses.filter((status) => isEnded(status) && status !== 'uncertain'))(
    'that is %s stays so, whatever is said of it',
    (status) => {
      let state = at(status);
      for (const other of statuses) for (const event of pathTo(other)) state = foldOn(state, event);
      expect(statusIn(state)).toBe(status);
    },
  );

  test.each(['rejected', 'expired', 'cancelled', 'invalid'] as const)('has no way from %s to started', (from) => {
    const reached = new Set<CallStatus>();
    const open: SessionState[] = [at(from)];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const status = statusIn(state) ?? expect.unreachable();
      if (reached.has(status)) continue;
      reached.add(status);
      for (const [event] of Object.values(into)) open.push(foldOn(state, event));
    }
    expect([...reached]).toEqual([from]);
  });

  test('comes to started through approved or edited only, and again when it was cut off', () => {
    expect(statuses.filter((from) => mayFollow(from, 'started'))).toEqual(['approved', 'edited', 'uncertain']);
    expect(isEnded('uncertain')).toBe(true);
  });

  test('once the model has asked for it cannot be asked for anew with another input', () => {
    const state = foldOn(at('approved'), { ...requested, input: { all: true }, inputText: '{"all":true}' });
    expect(findCall(state, 'c')?.call).toMatchObject({ status: 'approved', input: {}, inputText: '{}' });
  });

  test('notes when it began, how long it took and what came of it', () => {
    const state = foldBodies(...answering, requested, held, decided('approved'), started, {
      type: 'call.ended',
      callId: 'c',
      outcome: 'succeeded',
      output: 3,
      summary: '3',
      details: { type: 'text', text: 'three' },
    });
    expect(findCall(state, 'c')?.call).toEqual({
      type: 'tool',
      callId: 'c',
      name: 'add',
      status: 'succeeded',
      inputText: '{}',
      input: {},
      approval: { verdict: 'approved', decidedBy: 'user' },
      startedAt: 80,
      durationMs: 10,
      isError: false,
      output: 3,
      summary: '3',
      details: { type: 'text', text: 'three' },
    });
  });

  test('keeps what the model asked for beside what a person made of it', () => {
    const state = foldBodies(...answering, requested, held, decided('approved', { input: { n: 5 } }));
    expect(findCall(state, 'c')?.call).toMatchObject({
      status: 'edited',
      input: {},
      inputText: '{}',
      editedInput: { n: 5 },
    });
  });

  test('does not take an input with a rejection', () => {
    const state = foldBodies(...answering, requested, held, decided('rejected', { input: { n: 5 } }));
    expect(findCall(state, 'c')?.call).not.toHaveProperty('editedInput');
  });

  test('keeps the reason of a decision, and until when it was awaited', () => {
    const state = foldBodies(
      ...answering,
      requested,
      { ...held, expiresAt: 900 },
      {
        type: 'approval.decided',
        callId: 'c',
        verdict: 'rejected',
        decidedBy: 'user',
        reason: 'Too much.',
      },
    );
    expect(findCall(state, 'c')?.call.approval).toEqual({
      verdict: 'rejected',
      decidedBy: 'user',
      reason: 'Too much.',
      expiresAt: 900,
    });
  });

  test('is not asked for again in another message: an id means one call in its session', () => {
    const state = foldBodies(
      ...answering,
      ...pathTo('rejected'),
      { type: 'reply.ended', finish: 'tool-calls' },
      { type: 'reply.started', messageId: 'b' },
      requested,
    );
    expect(
      state.messages.map(({ content }) => content.map((part) => part.type === 'tool' && part.status)).flat(),
    ).toEqual([false, 'rejected']);
  });
});
