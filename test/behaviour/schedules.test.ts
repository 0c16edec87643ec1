import { type CallStatus, type SessionEvent, toolParts } from 'brooklet';
import { coalesce, evolve, findCall, initialState, isEnded } from 'brooklet/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toChatBody } from '../../src/llm/wires/chat-completions/request.ts';
import { toCompat } from '../../src/llm/wires/chat-completions/compat.ts';
import { mayFollow } from '../../src/core/model/call-status.ts';
import { isIdempotent, play, type Played, schedules } from '../support/schedule.ts';
import { problemsOfChatBody } from '../support/valid-chat-body.ts';
import { seeded } from '../support/seeded.ts';

/** `SCHEDULES=20000` checks more schedules. */
const numRuns = Number(process.env.SCHEDULES ?? 1_000);

test(
  'random schedules of parallel calls, approvals, cancels, time-outs and reloads keep every invariant',
  { timeout: 120_000 + numRuns * 500 },
  async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const played = await play(schedule);
        runsAreWhatTheLogSays(played);
        callsGoTheirWay(played.log);
        runsEndOnce(played.log);
        requestsAreValid(played);
        tabsAgree(played);
      }),
      seeded(numRuns, 30),
    );
  },
);

/**
 * Invariant: no tool runs before its start is stored, without approval, or twice for one key, unless the tool is
 * declared idempotent.
 */
function runsAreWhatTheLogSays({ ran, log }: Played): void {
  const attempts = ran.map(({ key, attempt }) => `${key} ${attempt}`);
  expect(new Set(attempts).size).toBe(attempts.length);
  const keys = ran.filter(({ name }) => !isIdempotent(name)).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { callId, attempt, wasStored } of ran) {
    expect(wasStored).toBe(true);
    const begin = log.findIndex(
      (event) => event.type === 'call.started' && event.callId === callId && event.attempt === attempt,
    );
    expect(begin).toBeGreaterThan(-1);
    const before = log.slice(0, begin).filter((event) => 'callId' in event && event.callId === callId);
    expect(before.findLast(({ type }) => type === 'approval.decided')).toMatchObject({ verdict: 'approved' });
    expect(before.map(({ type }) => type)).not.toContain(attempt === 1 ? 'call.ended' : undefined);
  }
}

/**
 * Invariant: the status of a call changes only by allowed transitions, and each `call.started` was allowed when it was
 * written.
 */
function callsGoTheirWay(log: readonly SessionEvent[]): void {
  let state = initialState('');
  const statuses = new Map<string, CallStatus>();
  for (const event of log) {
    if (event.type === 'call.started') {
      const status = findCall(state, event.callId)?.call.status;
      const may: readonly unknown[] = event.attempt === 1 ? ['approved', 'edited'] : ['uncertain'];
      expect(may).toContain(status);
      expect(state.run).not.toHaveProperty('outcome');
    }
    state = evolve(state, event);
    for (const { callId, status } of state.messages.flatMap(toolParts)) {
      const before = statuses.get(callId) ?? status;
      if (before !== status) expect([callId, before, status, mayFollow(before, status)]).toContain(true);
      statuses.set(callId, status);
    }
  }
}

/** Invariant: a run starts once and ends once, and no event of the run follows its end. */
function runsEndOnce(log: readonly SessionEvent[]): void {
  const ids = (type: 'run.started' | 'run.ended'): readonly string[] =>
    log.flatMap((event) => (event.type === type ? event.runId : []));
  expect(new Set(ids('run.started')).size).toBe(ids('run.started').length);
  expect(ids('run.ended').toSorted()).toEqual(ids('run.started').toSorted());
  let open = false;
  for (const { type } of log) {
    if (type === 'run.started') {
      expect(open).toBe(false);
      open = true;
    } else if (type === 'run.ended') open = false;
    else if (type === 'reply.started' || type === 'call.started') expect(open).toBe(true);
  }
}

/** Invariant: each call has one result, in order, directly after its message. */
function requestsAreValid({ requests }: Played): void {
  for (const request of requests) {
    expect(problemsOfChatBody(toChatBody(request, 'm', toCompat('api.example.com')))).toEqual([]);
    for (const { status } of request.messages.flatMap(toolParts)) expect(isEnded(status)).toBe(true);
  }
}

/** Invariant: both show the folded log, and nothing is open any more. */
function tabsAgree({ states, log }: Played): void {
  const folded = coalesce(log).reduce(evolve, initialState(states[0]?.id ?? ''));
  for (const state of states) expect(state).toEqual(folded);
  expect(folded.run?.outcome).not.toBe(log.some(({ type }) => type === 'run.started') ? undefined : 'none');
  for (const ids of [folded.messages.map(({ id }) => id), folded.queue.map(({ message }) => message.id)])
    expect(new Set(ids).size).toBe(ids.length);
}
