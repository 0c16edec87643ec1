import type { SessionEvent } from 'brooklet';
import { initialState } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { createLog, type Log } from '../../../src/core/log/log.ts';
import { createStoreLink } from '../../../src/core/log/create-store-link.ts';
import { findCall } from '../../../src/core/model/find-call.ts';
import { toSummary } from '../../../src/core/model/summary.ts';
import { append, calling, desk, text } from '../../support/desk.ts';
import { stamp, userMessage } from '../../support/events.ts';
import { settled } from '../../support/manual-client.ts';

describe('a link beside another tab', () => {
  test('reads the events that another tab stores with an older version of the page', async () => {
    const { log, link, memory } = desk();
    append(log, { type: 'session.started', sessionId: 's' });
    await link.flush();
    link.follow({ isDriving: () => false, perform: () => {} });
    await link.catchUp();
    const { summary } = (await memory.read('s')) ?? expect.unreachable();
    const old: SessionEvent = JSON.parse('{"type":"session.renamed","title":"theirs","seq":2,"at":1,"v":1}');
    const base = { sessionId: 's', expectedSeq: 1, durability: 'relaxed' } as const;
    await memory.write({ ...base, events: [old], summary: { ...summary, seq: 2 } });
    await link.catchUp();
    expect(log.getState()).toMatchObject({ title: 'theirs', seq: 2 });
  });

  test('reads events of the present version and of an older one, each in its own shape', async () => {
    const { log, link, memory } = desk();
    append(log, ...calling);
    await link.flush();
    link.follow({ isDriving: () => false, perform: () => {} });
    await link.catchUp();
    const { summary } = (await memory.read('s')) ?? expect.unreachable();
    const theirs: SessionEvent[] = JSON.parse(
      '[{"type":"session.renamed","title":"theirs","seq":6,"at":1,"v":2},{"type":"call.decided","callId":"c","verdict":"approved","by":"person","seq":7,"at":1,"v":1}]',
    );
    const base = { sessionId: 's', expectedSeq: 5, durability: 'relaxed' } as const;
    await memory.write({ ...base, events: theirs, summary: { ...summary, seq: 7 } });
    await link.catchUp();
    expect(log.getState()).toMatchObject({ title: 'theirs', seq: 7 });
    expect(findCall(log.getState(), 'c')?.call).toMatchObject({ status: 'approved', approval: { decidedBy: 'user' } });
  });

  test('reads above the state from before a run of another tab when that run is rewritten', async () => {
    const { log, link, memory, reads } = desk();
    append(log, { type: 'session.started', sessionId: 's' });
    await link.flush();
    link.follow({ isDriving: () => false, perform: () => {} });
    await link.catchUp();
    const summary = toSummary(log.getState());
    const about = { sessionId: 's', durability: 'relaxed' } as const;
    reads.length = 0;
    const theirs = stamp(
      [{ type: 'run.started', runId: 'r' }, { type: 'reply.started', messageId: 'm' }, text(1), text(1)],
      1,
    );
    await memory.write({ ...about, events: theirs.slice(0, 3), summary: { ...summary, seq: 4 }, expectedSeq: 1 });
    await settled();
    const rewritten = [...theirs.slice(0, 2), { ...text(2), seq: 5, at: 50, v: 2, since: 4 }] as const;
    await memory.write({
      ...about,
      events: rewritten,
      replaces: [[2, 4]],
      summary: { ...summary, seq: 5 },
      expectedSeq: 4,
    });
    await settled();
    expect(reads).toEqual([1, 4, 1]);
    expect(log.getState().messages).toMatchObject([{ id: 'm', content: [{ text: 'xx' }] }]);
  });

  test('reads nothing when another session has changed', async () => {
    const { log, link, memory, reads } = desk();
    append(log, { type: 'session.started', sessionId: 's' });
    await link.flush();
    link.follow({ isDriving: () => false, perform: () => {} });
    await settled();
    const before = reads.length;
    const [event] = stamp([{ type: 'session.started', sessionId: 'other' }]);
    const summary = toSummary(initialState('other'));
    await memory.write({
      sessionId: 'other',
      events: event ? [event] : [],
      summary: { ...summary, seq: 1 },
      expectedSeq: 0,
      durability: 'relaxed',
    });
    await settled();
    expect(reads).toHaveLength(before);
  });

  test('is saved when every event is stored, and every event that it has to replay is in the log again', async () => {
    const { log, link, memory } = desk();
    const performed: string[] = [];
    append(log, { type: 'session.started', sessionId: 's' });
    expect(link.isSaved()).toBe(false);
    await link.flush();
    expect(link.isSaved()).toBe(true);
    link.follow({ isDriving: () => false, perform: (action) => performed.push(action.do) });
    await link.catchUp();
    const [theirs] = stamp([{ type: 'message.added', message: userMessage('theirs') }], 1);
    append(log, { type: 'message.added', message: userMessage('ours') });
    await memory.write({
      sessionId: 's',
      events: theirs ? [theirs] : [],
      summary: { ...toSummary(log.getState()), seq: 2 },
      expectedSeq: 1,
      durability: 'relaxed',
    });
    await settled();
    expect([performed.includes('reappend'), link.getStatus().state, link.isSaved()]).toEqual([true, 'saving', false]);
    link.noteReappended();
    expect([link.getStatus().state, link.isSaved()]).toEqual(['saved', true]);
  });

  test('takes a session that is gone for erased where the store knows that no person has removed it', async () => {
    const d = desk(initialState('s'), {});
    const performed: string[] = [];
    const store = { ...d.memory, wasRemoved: async () => false };
    const log: Log = createLog(initialState('s'), d.ports, (event) => link.add(event));
    const link = createStoreLink({ log, store, ports: d.ports });
    append(log, { type: 'session.started', sessionId: 's' });
    await link.flush();
    link.follow({ isDriving: () => false, perform: (action) => performed.push(action.do) });
    await d.memory.remove('s');
    await link.catchUp();
    expect(performed).toEqual([]);
  });

  test('takes a session that is gone for removed where the store does not know why', async () => {
    const { log, link, memory } = desk();
    const performed: string[] = [];
    append(log, { type: 'session.started', sessionId: 's' });
    await link.flush();
    link.follow({ isDriving: () => false, perform: (action) => performed.push(action.do) });
    await memory.remove('s');
    await link.catchUp();
    expect(performed).toEqual(['close']);
  });
});
