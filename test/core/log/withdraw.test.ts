import { AgentError } from 'brooklet';
import type { EventBody } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { eventVersion } from '../../../src/core/model/event.ts';
import { findCall } from '../../../src/core/model/find-call.ts';
import { append, calling, desk, opening } from '../../support/desk.ts';
import { userMessage } from '../../support/events.ts';

describe('a link whose store refuses a decision', () => {
  test('does not withdraw a decision that is stored', async () => {
    const { log, link } = desk();
    append(log, { type: 'session.started', sessionId: 's' });
    append(log, { type: 'approval.decided', callId: 'c', decidedBy: 'user', verdict: 'approved' });
    await link.flush();
    expect(link.withdraw('c')).toBe('stored');
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
    await d.link.flush();
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
      await d.link.flush();
      const { events = [] } = (await d.memory.read('s')) ?? {};
      return events.flatMap((event) => (event.type === 'approval.decided' ? [event.callId] : []));
    };
    return Object.assign(d, { decided, statuses, stored });
  }

  test('withdraws the decision on one call, and no other', async () => {
    const { log, link, decided, statuses, stored } = await undecided();
    append(log, decided('c'));
    append(log, decided('c2'));
    await link.flush().catch(() => {});
    expect(link.withdraw('c2')).toBe('withdrawn');
    expect(statuses()).toEqual(['approved', 'awaiting-approval']);
    expect(await stored()).toEqual(['c']);
  });

  test('withdraws a decision, and none of what was appended before and after it', async () => {
    const { log, link, decided, statuses } = await undecided();
    append(log, { type: 'message.added', message: userMessage('early') });
    const before = log.getState();
    append(log, decided('c'), { type: 'message.added', message: userMessage('late') });
    await link.flush().catch(() => {});
    expect(link.withdraw('c')).toBe('withdrawn');
    expect(statuses()).toEqual(['awaiting-approval', 'awaiting-approval']);
    expect(log.getState().messages.map(({ id }) => id)).toEqual(['m', 'early', 'late']);
    expect(log.getState().seq).toBe(before.seq + 1);
  });

  test('withdraws a decision, and not the question', async () => {
    const d = desk();
    d.failing = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
    append(d.log, ...calling, { type: 'reply.ended', finish: 'tool-calls' });
    append(d.log, { type: 'approval.decided', callId: 'c', decidedBy: 'user', verdict: 'approved' });
    await d.link.flush().catch(() => {});
    expect(d.link.withdraw('c')).toBe('withdrawn');
    expect(findCall(d.log.getState(), 'c')?.call.status).toBe('awaiting-approval');
    d.failing = undefined;
    await d.link.flush();
    expect(findCall(await d.stored(), 'c')?.call.status).toBe('awaiting-approval');
  });

  test('withdraws the second of two decisions together with the first, which the state before the second contains', async () => {
    const { log, link, decided, statuses } = await undecided();
    const first = log.getState();
    append(log, decided('c'));
    append(log, decided('c2'));
    await link.flush().catch(() => {});
    expect([link.withdraw('c'), statuses()]).toEqual(['withdrawn', ['awaiting-approval', 'approved']]);
    expect([link.withdraw('c2'), statuses()]).toEqual(['withdrawn', ['awaiting-approval', 'awaiting-approval']]);
    expect(log.getState().seq).toBe(first.seq);
  });

  test('withdraws a decision that was taken after an earlier one had been withdrawn, and what lay between was stored', async () => {
    const d = await undecided();
    const { log, link, decided, statuses } = d;
    append(log, decided('c'));
    await link.flush().catch(() => {});
    link.withdraw('c');
    d.failing = undefined;
    append(log, { type: 'message.added', message: userMessage('between') });
    await link.flush();
    d.failing = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
    append(log, decided('c2'));
    await link.flush().catch(() => {});
    expect(link.withdraw('c2')).toBe('withdrawn');
    expect([statuses(), log.getState().messages.map(({ id }) => id)]).toEqual([
      ['awaiting-approval', 'awaiting-approval'],
      ['m', 'between'],
    ]);
  });

  test.each(['while the first write is under way', 'before it'])(
    'withdraws a decision that was written again above what another tab had stored %s',
    async (when) => {
      const d = await undecided();
      const { log, link, decided, statuses, memory } = d;
      const full = d.failing;
      d.failing = undefined;
      link.follow({ isDriving: () => true, perform: () => {} });
      const other = async (): Promise<void> => {
        const { summary, writeId } = (await memory.read('s')) ?? {};
        if (summary === undefined || writeId === undefined) throw new Error('Nothing is stored.');
        const seq = summary.seq + 1;
        const renamed = { type: 'session.renamed', title: 'Elsewhere', seq, at: 0, v: eventVersion } as const;
        await memory.write({
          sessionId: 's',
          events: [renamed],
          expectedSeq: summary.seq,
          summary: { ...summary, seq, title: 'Elsewhere' },
          durability: 'relaxed',
          // Of the same lineage.
          writeId: writeId.replace(/[^/]*$/u, 'other'),
          expectedWriteId: writeId,
        });
      };
      let open = (): void => {};
      if (when !== 'before it') d.gate = new Promise((resolve) => (open = resolve));
      else await other();
      append(log, decided('c'));
      const flushing = link.flush().catch(() => {});
      if (when !== 'before it') await other();
      // What is written after the conflict meets a full disk.
      d.onRead = () => (d.failing = full);
      open();
      await flushing;
      await link.catchUp();
      expect(link.withdraw('c')).toBe('withdrawn');
      expect([statuses(), log.getState().title]).toEqual([['awaiting-approval', 'awaiting-approval'], 'Elsewhere']);
      expect((await memory.read('s'))?.summary).toMatchObject({ title: 'Elsewhere', seq: log.getState().seq });
    },
  );
});
