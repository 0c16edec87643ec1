import { AgentError, type SessionEvent } from 'brooklet';
import { coalesce, evolve, initialState } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { toSummary } from '../../../src/core/model/summary.ts';
import { createLog, type Log } from '../../../src/core/log/log.ts';
import { createStoreLink } from '../../../src/core/log/create-store-link.ts';
import { append, desk, opening, text } from '../../support/desk.ts';
import { createGate } from '../../support/gate.ts';
import { settled } from '../../support/manual-client.ts';
import { createManualPorts } from '../../support/ports.ts';

/** A conflict that ends the test if a flush repeats forever. */
function countedConflict(): AgentError {
  let looks = 0;
  const conflict = new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' });
  return Object.defineProperty(conflict, 'code', {
    get() {
      if (++looks > 100) throw new Error('The flush does not end.');
      return 'STORAGE_CONFLICT';
    },
  });
}

describe('a link alone', () => {
  test('stores the events of one turn with one write', async () => {
    const { log, writes } = desk();
    append(log, ...opening);
    expect(writes).toHaveLength(0);
    await settled();
    expect(writes).toHaveLength(1);
    expect(writes[0]?.events.map(({ type }) => type)).toEqual(['session.started', 'run.started', 'reply.started']);
  });

  test('collects text for 100 ms, and writes it as one event', async () => {
    const { log, writes, ports } = desk();
    append(log, ...opening);
    await settled();
    for (let n = 0; n < 10; n++) append(log, text(5));
    await settled();
    ports.pass(99);
    expect(writes).toHaveLength(1);
    ports.pass(1);
    expect(writes).toHaveLength(2);
    expect(writes[1]?.events).toHaveLength(1);
    expect(writes[1]?.events[0]).toMatchObject({ type: 'text.delta', text: 'x'.repeat(50), seq: 13 });
  });

  test('writes 2,048 characters at once', async () => {
    const { log, writes } = desk();
    append(log, ...opening);
    await settled();
    append(log, text(2_047));
    await settled();
    expect(writes).toHaveLength(1);
    append(log, text(1));
    await settled();
    expect(writes).toHaveLength(2);
  });

  test('has one write in flight at a time', async () => {
    const d = desk();
    append(d.log, ...opening);
    const gate = createGate();
    d.gate = gate.opened;
    await settled();
    append(d.log, text(3_000));
    append(d.log, { type: 'reply.ended', finish: 'stop' });
    d.ports.pass(1_000);
    await settled();
    expect(d.writes).toHaveLength(1);
    d.gate = undefined;
    gate.open();
    await settled();
    expect(d.writes).toHaveLength(2);
    expect(d.writes[1]?.expectedSeq).toBe(3);
  });

  test('writes at once when the page is hidden, even while another write is in flight', async () => {
    const d = desk();
    append(d.log, ...opening);
    const gate = createGate();
    d.gate = gate.opened;
    await settled();
    append(d.log, text(10));
    d.link.flushNow();
    expect(d.writes).toHaveLength(2);
    gate.open();
    await settled();
    expect((await d.stored()).messages).toEqual(d.log.getState().messages);
    expect(d.statuses).toEqual(['saved', 'saving', 'saved']);
  });

  test('rewrites each part as one event with its cadence when the run ends', async () => {
    const d = desk();
    append(d.log, ...opening);
    await settled();
    for (let n = 0; n < 5; n++) {
      append(d.log, text(10));
      d.ports.pass(100);
      await settled();
    }
    append(d.log, { type: 'reply.ended', finish: 'stop' }, { type: 'run.ended', runId: 'r', outcome: 'completed' });
    await settled();
    const last = d.writes.at(-1);
    expect(last?.replaces).toHaveLength(1);
    const whole = last?.events.find(({ type }) => type === 'text.delta');
    expect(whole).toMatchObject({ text: 'x'.repeat(50), cadence: [0, 10, 100, 10, 100, 10, 100, 10, 100, 10] });
    expect(await d.stored()).toEqual(d.log.getState());
  });

  test('marks writes that only extend a reply as `streaming`, and the write after the end of a run as `settled`', async () => {
    const d = desk();
    append(d.log, ...opening);
    await settled();
    append(d.log, text(10));
    d.ports.pass(100);
    await settled();
    append(d.log, { type: 'reply.ended', finish: 'stop' });
    await settled();
    append(d.log, { type: 'run.ended', runId: 'r', outcome: 'completed' });
    await settled();
    append(d.log, { type: 'session.renamed', title: 'x' });
    await settled();
    expect(d.writes.map(({ phase }) => phase)).toEqual([undefined, 'streaming', 'streaming', 'settled', undefined]);
    const last = d.writes[3];
    expect(last?.events.map(({ type }) => type)).toEqual([
      ...opening.map(({ type }) => type),
      'text.delta',
      'reply.ended',
      'run.ended',
    ]);
    expect(last?.replaces).toEqual([[1, opening.length + 2]]);
    expect(await d.stored()).toEqual(d.log.getState());
  });

  test('rewrites a concurrent event of another tab together with the run', async () => {
    const d = desk();
    append(d.log, ...opening);
    await settled();
    const beside: SessionEvent = { type: 'session.renamed', title: 'x', seq: opening.length + 1, at: 1, v: 2 };
    const summary = toSummary(evolve(d.log.getState(), beside));
    const about = { sessionId: 's', expectedSeq: opening.length, durability: 'relaxed' } as const;
    d.link.follow({ isDriving: () => true, perform: () => {} });
    await d.memory.write({ ...about, events: [beside], summary });
    await d.link.catchUp();
    append(d.log, { type: 'run.ended', runId: 'r', outcome: 'completed' });
    await settled();
    expect(d.writes.at(-1)?.events.map(({ type }) => type)).toEqual([
      ...opening.map(({ type }) => type),
      'session.renamed',
      'run.ended',
    ]);
    expect(await d.stored()).toEqual(d.log.getState());
  });

  test('writes as many bytes after a long history as after an empty one', async () => {
    async function bytesAfter(turns: number): Promise<number> {
      const d = desk();
      append(d.log, { type: 'session.started', sessionId: 's' });
      for (let turn = 0; turn < turns; turn++) {
        append(
          d.log,
          { type: 'run.started', runId: `r${turn}` },
          { type: 'reply.started', messageId: `m${turn}` },
          text(500),
        );
        append(
          d.log,
          { type: 'reply.ended', finish: 'stop' },
          { type: 'run.ended', runId: `r${turn}`, outcome: 'completed' },
        );
      }
      await d.link.flush();
      d.writes.length = 0;
      append(d.log, { type: 'run.started', runId: 'last' }, { type: 'reply.started', messageId: 'last' });
      for (let n = 0; n < 40; n++) {
        append(d.log, text(100));
        d.ports.pass(100);
        await settled();
      }
      append(
        d.log,
        { type: 'reply.ended', finish: 'stop' },
        { type: 'run.ended', runId: 'last', outcome: 'completed' },
      );
      await settled();
      return JSON.stringify(d.writes).length;
    }
    const none = await bytesAfter(0);
    // Only numbers get longer.
    expect(await bytesAfter(300)).toBeLessThan(none * 1.05);
    // 4,000 characters of reply were written twice, with the overhead of events and rows.
    expect(none).toBeLessThan(4_000 * 2 + 43 * 500);
  });

  test('waits for the store before a tool starts, and at no other event', async () => {
    const { log, writes, link } = desk();
    append(log, ...opening);
    await settled();
    append(log, { type: 'call.started', callId: 'c', attempt: 1 });
    await settled();
    await link.flush('strict');
    expect(writes.map(({ durability }) => durability)).toEqual(['relaxed', 'strict']);
  });

  test('continues in memory when the store fails, and writes everything when the store recovers', async () => {
    const d = desk();
    append(d.log, ...opening);
    await settled();
    d.failing = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
    append(d.log, text(3_000));
    await settled();
    expect(d.link.getStatus()).toMatchObject({ state: 'failed', error: { code: 'QUOTA_EXCEEDED' } });
    append(d.log, text(3_000), { type: 'reply.ended', finish: 'stop' });
    await settled();
    expect(d.writes).toHaveLength(2);
    d.failing = undefined;
    d.ports.pass(1_000);
    await settled();
    expect(d.link.getStatus().state).toBe('saved');
    expect(await d.stored()).toEqual(d.log.getState());
  });

  test('backs off from a store that keeps failing', async () => {
    const d = desk();
    d.failing = new AgentError('no', { code: 'STORAGE_FAILED' });
    append(d.log, ...opening);
    for (let second = 0; second < 60; second++) {
      append(d.log, text(100));
      d.ports.pass(1_000);
      await settled();
    }
    // At once, then after 1, 2, 4, 8, 16 and 30 s.
    expect(d.writes.length).toBeLessThanOrEqual(7);
  });

  test('rejects a flush that fails, and resolves a later one that succeeds', async () => {
    const d = desk();
    append(d.log, ...opening);
    d.failing = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
    await expect(d.link.flush('strict')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(d.writes[0]?.durability).toBe('strict');
    d.failing = undefined;
    await d.link.flush('strict');
    expect(await d.stored()).toEqual(d.log.getState());
  });

  test('writes a whole run after its end could not be written at first', async () => {
    const d = desk();
    append(d.log, ...opening);
    for (let n = 0; n < 3; n++) {
      append(d.log, text(10));
      d.ports.pass(100);
      await settled();
    }
    d.failing = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
    append(d.log, { type: 'run.ended', runId: 'r', outcome: 'cancelled' });
    await settled();
    d.failing = undefined;
    d.ports.pass(1_000);
    await settled();
    expect(await d.stored()).toEqual(d.log.getState());
    expect(d.writes.at(-1)?.events.filter(({ type }) => type === 'text.delta')).toHaveLength(1);
  });

  test('stops, and reports the conflict, when another tab has written', async () => {
    const d = desk();
    append(d.log, ...opening);
    await settled();
    d.failing = new AgentError('another', { code: 'STORAGE_CONFLICT' });
    append(d.log, { type: 'session.renamed', title: 't' });
    await settled();
    expect(d.link.getStatus().state).toBe('stale');
    d.failing = undefined;
    append(d.log, { type: 'session.renamed', title: 'u' });
    d.link.flushNow();
    d.ports.pass(100_000);
    await settled();
    expect(d.writes).toHaveLength(2);
    await expect(d.link.flush()).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
  });

  test('does not write after a rejected write, even if the sequence numbers would match', async () => {
    const one = desk();
    append(one.log, ...opening);
    await settled();
    const gate = createGate();
    one.gate = gate.opened;
    append(one.log, { type: 'reply.ended', finish: 'stop' });
    await settled();
    append(one.log, { type: 'run.ended', runId: 'r', outcome: 'completed' });
    const flushed = one.link.flush('strict');
    // Another tab stores one event too, with the number on which the last event here builds.
    const { summary, events } = (await one.memory.read('s')) ?? expect.unreachable();
    const theirs = { type: 'session.renamed', title: 'theirs', seq: 4, at: 1, v: 2 } as const;
    await one.memory.write({
      sessionId: 's',
      events: [theirs],
      summary: { ...summary, seq: 4 },
      expectedSeq: 3,
      durability: 'relaxed',
    });
    gate.open();
    await expect(flushed).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await one.memory.read('s'))?.events).toEqual([...events, theirs]);
    expect(one.link.getStatus().state).toBe('stale');
  });

  test('waits for the store before an effect, whatever caused the event to be sent', async () => {
    const { log, writes, link } = desk();
    append(log, ...opening, { type: 'call.requested', callId: 'c', name: 'add', inputText: '{}', input: {} });
    await settled();
    append(log, { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'policy' });
    await settled();
    append(log, { type: 'call.started', callId: 'c', attempt: 1 });
    await settled();
    await link.flush('strict');
    append(log, { type: 'call.ended', callId: 'c', outcome: 'succeeded' });
    await settled();
    expect(writes.map(({ durability }) => durability)).toEqual(['relaxed', 'relaxed', 'strict', 'relaxed']);
  });

  test('survives a store that throws instead of rejecting', async () => {
    const ports = createManualPorts();
    const store = {
      ...createMemoryStore(),
      write: () => {
        throw new Error('a bad store');
      },
    };
    const log: Log = createLog(initialState('s'), ports, (event) => link.add(event));
    const link = createStoreLink({ log, store, ports });
    append(log, ...opening);
    await expect(link.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED', message: 'a bad store' });
  });

  test('keeps every event in memory without a store', async () => {
    const ports = createManualPorts();
    const log: Log = createLog(initialState('s'), ports, (event) => link.add(event));
    const link = createStoreLink({ log, store: undefined, ports });
    append(log, ...opening);
    await link.flush();
    expect([link.getStatus(), ports.awaited()]).toEqual([{ state: 'memory' }, 0]);
  });

  test('writes nothing of a damaged log, and keeps no timer', async () => {
    const damage = new AgentError('The log is damaged.', { code: 'SESSION_READ_ONLY' });
    const { log, link, writes, ports } = desk(initialState('s'), { damage });
    append(log, ...opening);
    await link.flush();
    link.flushNow();
    await settled();
    expect([writes, ports.awaited(), link.getStatus()]).toEqual([[], 0, { state: 'read-only', error: damage }]);
  });

  test('keeps no timer when the text that it has collected is written', async () => {
    const d = desk();
    append(d.log, ...opening, text(5));
    await settled();
    append(d.log, text(5));
    d.ports.drawFrame();
    expect(d.ports.awaited()).toBe(1);
    append(d.log, { type: 'reply.ended', finish: 'stop' });
    d.link.flushNow();
    await settled();
    d.ports.drawFrame();
    expect(d.ports.awaited()).toBe(0);
  });

  test('waits for nothing after it was closed', async () => {
    const d = desk();
    append(d.log, ...opening);
    await settled();
    append(d.log, text(5));
    d.link.close();
    d.ports.pass(1_000);
    d.link.flushNow();
    expect(d.writes).toHaveLength(1);
  });

  test('rejects a flush whose write is refused after it was closed, once', async () => {
    const d = desk();
    d.link.follow({ isDriving: () => true, perform: () => {} });
    const conflict = countedConflict();
    const gate = createGate();
    d.gate = gate.opened;
    d.failing = conflict;
    append(d.log, { type: 'session.started', sessionId: 's' });
    const flushed = d.link.flush();
    await settled();
    d.link.close();
    gate.open();
    await expect(flushed).rejects.toBe(conflict);
  });

  test('waits with a flush where the store refuses a write before it has answered the one before', async () => {
    const d = desk();
    d.link.follow({ isDriving: () => true, perform: () => {} });
    const gate = createGate();
    d.gate = gate.opened;
    append(d.log, ...opening);
    await settled();
    d.gate = undefined;
    const conflict = countedConflict();
    d.failing = conflict;
    append(d.log, text(10));
    d.link.flushNow();
    const flushed = d.link.flush();
    let isSettled = false;
    flushed.catch(() => {}).finally(() => (isSettled = true));
    await settled();
    expect([d.writes.length, isSettled]).toEqual([2, false]);
    gate.open();
    await expect(flushed).rejects.toBe(conflict);
    expect((await d.stored()).seq).toBe(3);
  });

  test('stores the same content as was appended', async () => {
    const d = desk();
    const all: SessionEvent[] = [];
    d.log.events$.subscribe((event) => all.push(event));
    append(d.log, ...opening, text(4), text(5), { type: 'reasoning.delta', text: 'hm' }, text(3));
    append(d.log, { type: 'reply.ended', finish: 'stop' }, { type: 'run.ended', runId: 'r', outcome: 'completed' });
    await settled();
    expect(d.writes.flatMap(({ events }) => events).map(({ seq }) => seq)).toEqual(coalesce(all).map(({ seq }) => seq));
  });
});
