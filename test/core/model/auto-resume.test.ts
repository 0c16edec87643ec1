import type { AgentErrorCode } from 'brooklet';
import { isCut } from 'brooklet';
import type { EventBody, RunOutcome } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { nextResume } from '../../../src/core/model/auto-resume.ts';
import { answering, foldBodies } from '../../support/events.ts';

const rule = { attempts: 2, firstDelay: 1_000, within: 600_000 };

function ended(outcome: RunOutcome, code?: AgentErrorCode, runId = 'r', more: object = {}): EventBody {
  const error = code && { type: 'LLM_SERVICE' as const, code, message: code, retryable: false, ...more };
  return { type: 'run.ended', runId, outcome, ...(error && { error }) };
}

const resumed = (runId: string, resumes: string, isAutomatic?: true): EventBody => ({
  type: 'run.started',
  runId,
  resumes,
  ...(isAutomatic && { isAutomatic }),
});

const asks: EventBody = { type: 'call.requested', callId: '1', name: 'add', inputText: '{}', input: {} };
const approved: EventBody = { type: 'approval.decided', callId: '1', verdict: 'approved', decidedBy: 'policy' };
const begins: EventBody = { type: 'call.started', callId: '1', attempt: 1 };
const replyEnds: EventBody = { type: 'reply.ended', finish: 'tool-calls' };

describe('a run is cut', () => {
  test.for<[string, EventBody, boolean]>([
    ['where the page was left', ended('interrupted'), true],
    ['where the stream ended early', ended('interrupted', 'STREAM_INTERRUPTED'), true],
    ['where the network failed in mid-stream', ended('interrupted', 'NETWORK_ERROR'), true],
    ['where the network failed before an answer', ended('failed', 'NETWORK_ERROR'), true],
    ['without a network', ended('failed', 'OFFLINE'), true],
    ['where the stream fell silent', ended('interrupted', 'REQUEST_TIMEOUT', 'r', { timeout: 'idle' }), true],
    ['not where no answer began in time', ended('failed', 'REQUEST_TIMEOUT', 'r', { timeout: 'first' }), false],
    ['not where the service failed in mid-stream', ended('interrupted', 'OVERLOADED'), false],
    ['not where the service refused', ended('failed', 'AUTHENTICATION_FAILED'), false],
    ['not where another tab was first', ended('failed', 'STORAGE_CONFLICT'), false],
    ['not where a person stopped it', ended('cancelled'), false],
    ['not where it is complete', ended('completed'), false],
  ])('%s', ([, end, expected]) => {
    expect(isCut(foldBodies(...answering, end))).toBe(expected);
  });

  test('not before its end, and not before the first run', () => {
    expect([isCut(foldBodies(...answering)), isCut(foldBodies())]).toEqual([false, false]);
  });

  test('not where it only compacted', () => {
    const compaction: EventBody = { type: 'run.started', runId: 'r', isCompaction: true };
    expect(isCut(foldBodies(compaction, ended('failed', 'NETWORK_ERROR')))).toBe(false);
  });
});

describe('the next automatic resume', () => {
  const cut = ended('interrupted', 'STREAM_INTERRUPTED');
  const next = (events: readonly EventBody[], late = 0, its = rule) => {
    const state = foldBodies(...events);
    return nextResume(state, its, state.updatedAt + late);
  };

  test.for<[string, EventBody[], ReturnType<typeof nextResume>]>([
    ['is the first after a cut', [cut], { runId: 'r', attempt: 1, ms: 1_000 }],
    [
      'is later after a second cut',
      [cut, resumed('s', 'r', true), ended('interrupted', 'NETWORK_ERROR', 's')],
      { runId: 's', attempt: 2, ms: 2_000 },
    ],
    [
      'is none after the last attempt',
      [
        cut,
        resumed('s', 'r', true),
        ended('interrupted', undefined, 's'),
        resumed('t', 's', true),
        ended('failed', 'OFFLINE', 't'),
      ],
      undefined,
    ],
    [
      'is the first again after a person has resumed',
      [
        cut,
        resumed('s', 'r', true),
        ended('failed', 'OFFLINE', 's'),
        resumed('t', 's'),
        ended('failed', 'OFFLINE', 't'),
      ],
      { runId: 't', attempt: 1, ms: 1_000 },
    ],
    ['is none after a failure of the service', [ended('failed', 'INSUFFICIENT_QUOTA')], undefined],
    ['is none where a person stopped the run', [ended('cancelled')], undefined],
    ['is none while a call is uncertain', [asks, replyEnds, approved, begins, cut], undefined],
    [
      'is there where an approved call has not begun',
      [asks, replyEnds, approved, cut],
      { runId: 'r', attempt: 1, ms: 1_000 },
    ],
  ])('%s', ([, events, expected]) => {
    expect(next([...answering, ...events])).toEqual(expected);
  });

  test('is none where the page comes back too late', () => {
    expect(next([...answering, cut], rule.within)).toBeDefined();
    expect(next([...answering, cut], rule.within + 1)).toBeUndefined();
  });

  test('is never later than 30 s', () => {
    expect(next([...answering, cut], 0, { ...rule, firstDelay: 90_000 })?.ms).toBe(30_000);
  });
});
