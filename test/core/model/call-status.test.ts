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

/** The event that brings a call into each status, and the status before it. */
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

/** The allowed transitions, written by hand. */
const allowed: Readonly<Record<CallStatus, string>> = {
  streaming: 'requested cancelled',
  requested: 'awaiting-approval approved edited invalid rejected expired cancelled',
  'awaiting-approval': 'approved edited rejected expired cancelled',
  approved: 'started cancelled',
  edited: 'started cancelled',
  started: 'awaiting-approval succeeded failed timed-out uncertain cancelled',
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
  test.each(statuses)('can become %s', (status) => {
    expect(statusIn(at(status))).toBe(status);
  });

  test.each(pairs)('that is %s does or does not become %s on the event for that status', (from, to) => {
    const before = at(from);
    const [event] = into[to];
    const after = foldOn(before, event);
    // Input deltas leave the status unchanged.
    const moves = to !== from && mayFollow(from, to);
    expect(statusIn(after)).toBe(moves ? to : from);
    if (!moves && to !== 'streaming') expect(after).toEqual({ ...before, seq: after.seq, updatedAt: after.updatedAt });
  });

  test.each(statuses)('that is %s has exactly the allowed transitions', (from) => {
    const names = statuses.filter((to) => mayFollow(from, to));
    // A policy decides directly, and only approves: all other decisions go through `awaiting-approval`.
    const direct = allowed[from]
      .split(' ')
      .filter((to) => !(from === 'requested' && ['edited', 'rejected', 'expired'].includes(to)));
    expect(names.sort()).toEqual(direct.filter(Boolean).sort());
  });

  test.each(statuses.filter((status) => isEnded(status) && status !== 'uncertain'))(
    'that is %s stays so after any event',
    (status) => {
      let state = at(status);
      for (const other of statuses) for (const event of pathTo(other)) state = foldOn(state, event);
      expect(statusIn(state)).toBe(status);
    },
  );

  test.each(['rejected', 'expired', 'cancelled', 'invalid'] as const)(
    'has no transition from %s to started',
    (from) => {
      const reached = new Set<CallStatus>();
      const open: SessionState[] = [at(from)];
      for (let state = open.pop(); state !== undefined; state = open.pop()) {
        const status = statusIn(state) ?? expect.unreachable();
        if (reached.has(status)) continue;
        reached.add(status);
        for (const [event] of Object.values(into)) open.push(foldOn(state, event));
      }
      expect([...reached]).toEqual([from]);
    },
  );

  test('becomes started through approved or edited only, and again after it was cut off', () => {
    expect(statuses.filter((from) => mayFollow(from, 'started'))).toEqual(['approved', 'edited', 'uncertain']);
    expect(isEnded('uncertain')).toBe(true);
  });

  test('cannot be requested again with another input', () => {
    const state = foldOn(at('approved'), { ...requested, input: { all: true }, inputText: '{"all":true}' });
    expect(findCall(state, 'c')?.call).toMatchObject({ status: 'approved', input: {}, inputText: '{}' });
  });

  test('records its start, its duration and its result', () => {
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

  test("keeps the model's input beside the edited input", () => {
    const state = foldBodies(...answering, requested, held, decided('approved', { input: { n: 5 } }));
    expect(findCall(state, 'c')?.call).toMatchObject({
      status: 'edited',
      input: {},
      inputText: '{}',
      editedInput: { n: 5 },
    });
  });

  test('accepts no edited input with a rejection', () => {
    const state = foldBodies(...answering, requested, held, decided('rejected', { input: { n: 5 } }));
    expect(findCall(state, 'c')?.call).not.toHaveProperty('editedInput');
  });

  test('keeps the reason of a decision, and its deadline', () => {
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

  test('is not requested again in another message: a call id is unique in its session', () => {
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
