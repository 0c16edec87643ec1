import type { CallStatus, SessionEvent, SessionStatus } from 'brooklet';
import { evolve, initialState, isEnded, openCalls, statusOf } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callsAwaitingApproval, isAwaitingApproval, isUnderWay, lastReply } from '../../../src/core/model/status.ts';
import { answering, eventLogs, foldBodies, patient, userMessage } from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

const runs = seeded(500);

/** The open calls after a log, read from the events of its last reply: all other calls have ended. */
function openAfter(log: readonly SessionEvent[]): ReadonlyMap<string, CallStatus> {
  const calls = new Map<string, CallStatus>();
  const drop = (...statuses: readonly CallStatus[]): void => {
    for (const [id, status] of calls) if (statuses.length === 0 || statuses.includes(status)) calls.delete(id);
  };
  let whole = false;
  for (const event of log.slice(log.findLastIndex(({ type }) => type === 'reply.started'))) {
    if (event.type === 'call.delta') calls.set(event.callId, 'streaming');
    if (event.type === 'call.requested') calls.set(event.callId, 'requested');
    if (event.type === 'approval.requested') calls.set(event.callId, 'awaiting-approval');
    if (event.type === 'approval.decided')
      calls.set(event.callId, event.verdict === 'approved' && event.input ? 'edited' : event.verdict);
    if (event.type === 'call.started') calls.set(event.callId, 'started');
    if (event.type === 'call.ended') calls.delete(event.callId);
    if (event.type === 'reply.ended') {
      whole = true;
      drop('streaming');
    }
    if (event.type === 'run.started' && event.resumes === undefined) drop();
    if (event.type === 'run.ended') {
      if (whole && (event.outcome === 'failed' || event.outcome === 'interrupted')) drop('started');
      else drop();
    }
    if (event.type === 'session.cleared') drop();
  }
  return new Map([...calls].filter(([, status]) => !isEnded(status)));
}

function statusAfter(log: readonly SessionEvent[], open: ReadonlyMap<string, CallStatus>): SessionStatus {
  const last = log.findLast(({ type }) => type === 'run.started' || type === 'run.ended');
  if (last?.type === 'run.ended')
    return last.outcome === 'completed' || last.outcome === 'cancelled' ? 'idle' : last.outcome;
  if (last === undefined) return 'idle';
  const lately = log.findLast(({ type }) => type === 'reply.started' || type === 'reply.ended' || type === 'run.ended');
  return lately?.type !== 'reply.started' &&
    open.size > 0 &&
    [...open.values()].every((status) => status === 'awaiting-approval')
    ? 'waiting'
    : 'running';
}

const asks = (callId: string) => ({ type: 'call.requested', callId, name: 'add', inputText: '{}', input: {} }) as const;
const replyEnds = { type: 'reply.ended', finish: 'tool-calls' } as const;
const ends = (outcome: 'completed' | 'cancelled' | 'limit' | 'failed' | 'interrupted') =>
  ({ type: 'run.ended', runId: 'r', outcome }) as const;

describe('the status of a session', patient, () => {
  test('is idle before the first event', () => {
    expect(statusOf(initialState('s'))).toBe('idle');
  });

  test.each([
    ['completed', 'idle'],
    ['cancelled', 'idle'],
    ['limit', 'limit'],
    ['failed', 'failed'],
    ['interrupted', 'interrupted'],
  ] as const)('after a run that ended as %s is %s', (outcome, status) => {
    expect(statusOf(foldBodies(...answering, ends(outcome)))).toBe(status);
  });

  test('is idle after a compaction that failed: nothing can be resumed', () => {
    const compaction = { type: 'run.started', runId: 'r', isCompaction: true } as const;
    expect(statusOf(foldBodies(compaction, ends('failed')))).toBe('idle');
    expect(statusOf(foldBodies(compaction, ends('interrupted')))).toBe('interrupted');
    expect(statusOf(foldBodies(compaction))).toBe('running');
  });

  test('is running while the reply streams, even if a call of the reply awaits approval', () => {
    const held = [...answering, asks('1'), { type: 'approval.requested', callId: '1' }] as const;
    expect(statusOf(foldBodies(...held))).toBe('running');
    expect(statusOf(foldBodies(...held, replyEnds))).toBe('waiting');
  });

  test.each([
    ['running', true],
    ['waiting', true],
    ['idle', false],
    ['interrupted', false],
    ['failed', false],
    ['limit', false],
  ] as const)('%s: a run is under way: %s', (status, expected) => {
    expect(isUnderWay(status)).toBe(expected);
  });

  test('names the calls that a person may decide', () => {
    const asked = foldBodies(...answering, asks('1'), asks('2'), replyEnds);
    expect([callsAwaitingApproval(asked), isAwaitingApproval(asked)]).toEqual([[], false]);
    const held = foldBodies(...answering, asks('1'), asks('2'), replyEnds, { type: 'approval.requested', callId: '2' });
    expect(callsAwaitingApproval(held).map(({ callId }) => callId)).toEqual(['2']);
    expect(isAwaitingApproval(held)).toBe(true);
  });

  test('is running from the start of a run to its end', () => {
    expect(statusOf(foldBodies({ type: 'run.started', runId: 'r' }))).toBe('running');
    expect(statusOf(foldBodies(...answering))).toBe('running');
    expect(statusOf(foldBodies(...answering, asks('1'), replyEnds))).toBe('running');
  });

  test('is waiting when all open calls await approval', () => {
    const held = foldBodies(...answering, asks('1'), asks('2'), replyEnds, { type: 'approval.requested', callId: '1' });
    expect(statusOf(held)).toBe('running');
    expect(statusOf(foldBodies(...answering, asks('1'), replyEnds, { type: 'approval.requested', callId: '1' }))).toBe(
      'waiting',
    );
  });

  test('is running while a call runs beside one that awaits approval', () => {
    const approved = { type: 'approval.decided', callId: '2', verdict: 'approved', decidedBy: 'policy' } as const;
    const state = foldBodies(
      ...answering,
      asks('1'),
      asks('2'),
      replyEnds,
      { type: 'approval.requested', callId: '1' },
      approved,
      {
        type: 'call.started',
        callId: '2',
        attempt: 1,
      },
    );
    expect(statusOf(state)).toBe('running');
  });

  test('stays waiting when a message is added meanwhile, in any role', () => {
    const waiting = [...answering, asks('1'), replyEnds, { type: 'approval.requested', callId: '1' }] as const;
    expect(statusOf(foldBodies(...waiting, { type: 'message.added', message: userMessage('p') }))).toBe('waiting');
    const note = { ...userMessage('note'), role: 'assistant' } as const;
    const state = foldBodies(...waiting, { type: 'message.added', message: note });
    expect(statusOf(state)).toBe('waiting');
    expect(openCalls(state).map(({ callId }) => callId)).toEqual(['1']);
  });

  test('and the open calls equal a plain reading of the log', () => {
    assertMeeting(
      { 'an open call': 100, 'a run without one': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          let state = initialState('s');
          for (const [index, event] of log.entries()) {
            state = evolve(state, event);
            const soFar = log.slice(0, index + 1);
            const should = openAfter(soFar);
            const is = new Map(openCalls(state).map(({ callId, status }) => [callId, status]));
            if (should.size > 0) met('an open call');
            else if (state.run !== undefined) met('a run without one');
            if (!same(is, should)) expect(is).toEqual(should);
            const status = statusAfter(soFar, should);
            if (statusOf(state) !== status) expect(statusOf(state)).toBe(status);
          }
        }),
      runs,
    );
  });
});

describe('the last reply', () => {
  test('is the newest message of the agent itself', () => {
    const { messages } = foldBodies(...answering, { type: 'message.added', message: userMessage('p') });
    expect(lastReply(messages)?.id).toBe('a');
    expect(lastReply([userMessage('q')])).toBeUndefined();
    expect(lastReply([...messages, { ...userMessage('p'), status: 'complete' }])?.id).toBe('a');
  });
});

function same(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}
