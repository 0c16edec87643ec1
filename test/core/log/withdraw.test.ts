import { AgentError } from 'brooklet';
import type { EventBody } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { findCall } from '../../../src/core/model/find-call.ts';
import { append, calling, desk, opening } from '../../support/desk.ts';
import { userMessage } from '../../support/events.ts';

describe('a replica whose store refuses a decision', () => {
  test('does not withdraw a decision that is stored', async () => {
    const { log, replica } = desk();
    append(log, { type: 'session.started', sessionId: 's' });
    const before = log.getState();
    append(log, { type: 'approval.decided', callId: 'c', decidedBy: 'user', verdict: 'approved' });
    await replica.flush();
    expect(replica.withdraw('c', before)).toBe('stored');
  });

  /** A log on a full disk, in which two calls wait for a person, and what the person does is not stored. */
  async function undecided() {
    const d = desk();
    append(d.log, ...opening);
    for (const callId of ['c', 'c2'])
      append(
        d.log,
        { type: 'call.requested', callId, name: 'pay', inputText: '{}', input: {} },
        { type: 'approval.requested', callId },
      );
    append(d.log, { type: 'reply.ended', finish: 'tool-calls' });
    await d.replica.flush();
    d.failing = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
    const decided = (callId: string): EventBody => ({
      type: 'approval.decided',
      callId,
      decidedBy: 'user',
      verdict: 'approved',
    });
    const statuses = () => ['c', 'c2'].map((callId) => findCall(d.log.getState(), callId)?.call.status);
    /** The calls whose decisions are stored when the disk has room again. */
    const stored = async () => {
      d.failing = undefined;
      await d.replica.flush();
      const { events = [] } = (await d.memory.read('s')) ?? {};
      return events.flatMap((event) => (event.type === 'approval.decided' ? [event.callId] : []));
    };
    return Object.assign(d, { decided, statuses, stored });
  }

  test('withdraws the decision on one call, and no other', async () => {
    const { log, replica, decided, statuses, stored } = await undecided();
    append(log, decided('c'));
    const before = log.getState();
    append(log, decided('c2'));
    await replica.flush().catch(() => {});
    expect(replica.withdraw('c2', before)).toBe('withdrawn');
    expect(statuses()).toEqual(['approved', 'awaiting-approval']);
    expect(await stored()).toEqual(['c']);
  });

  test('withdraws a decision, and none of what was appended before and after it', async () => {
    const { log, replica, decided, statuses } = await undecided();
    append(log, { type: 'message.added', message: userMessage('early') });
    const before = log.getState();
    append(log, decided('c'), { type: 'message.added', message: userMessage('late') });
    await replica.flush().catch(() => {});
    expect(replica.withdraw('c', before)).toBe('withdrawn');
    expect(statuses()).toEqual(['awaiting-approval', 'awaiting-approval']);
    expect(log.getState().messages.map(({ id }) => id)).toEqual(['m', 'early', 'late']);
    expect(log.getState().seq).toBe(before.seq + 1);
  });

  test('withdraws a decision, and not the question', async () => {
    const d = desk();
    d.failing = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
    append(d.log, ...calling, { type: 'reply.ended', finish: 'tool-calls' });
    const before = d.log.getState();
    append(d.log, { type: 'approval.decided', callId: 'c', decidedBy: 'user', verdict: 'approved' });
    await d.replica.flush().catch(() => {});
    expect(d.replica.withdraw('c', before)).toBe('withdrawn');
    expect(findCall(d.log.getState(), 'c')?.call.status).toBe('awaiting-approval');
    d.failing = undefined;
    await d.replica.flush();
    expect(findCall(await d.stored(), 'c')?.call.status).toBe('awaiting-approval');
  });

  test('withdraws the second of two decisions together with the first, which the state before the second contains', async () => {
    const { log, replica, decided, statuses } = await undecided();
    const first = log.getState();
    append(log, decided('c'));
    const second = log.getState();
    append(log, decided('c2'));
    await replica.flush().catch(() => {});
    expect([replica.withdraw('c', first), statuses()]).toEqual(['withdrawn', ['awaiting-approval', 'approved']]);
    expect([replica.withdraw('c2', second), statuses()]).toEqual([
      'withdrawn',
      ['awaiting-approval', 'awaiting-approval'],
    ]);
    expect(log.getState().seq).toBe(first.seq);
  });

  test('withdraws a decision that was taken after an earlier one had been withdrawn, and what lay between was stored', async () => {
    const d = await undecided();
    const { log, replica, decided, statuses } = d;
    const first = log.getState();
    append(log, decided('c'));
    await replica.flush().catch(() => {});
    replica.withdraw('c', first);
    d.failing = undefined;
    append(log, { type: 'message.added', message: userMessage('between') });
    await replica.flush();
    d.failing = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
    const second = log.getState();
    append(log, decided('c2'));
    await replica.flush().catch(() => {});
    expect(replica.withdraw('c2', second)).toBe('withdrawn');
    expect([statuses(), log.getState().messages.map(({ id }) => id)]).toEqual([
      ['awaiting-approval', 'awaiting-approval'],
      ['m', 'between'],
    ]);
  });
});
