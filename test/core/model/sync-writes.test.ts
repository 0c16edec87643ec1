import { AgentError, type SessionEvent } from 'brooklet';
import { initialState, type StoredSession } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { toSummary } from '../../../src/core/model/summary.ts';
import { becameSaved, changed } from '../../../src/core/model/sync-reads.ts';
import { type Batch, firstRetry, initialSync, lastRetry, type SyncState } from '../../../src/core/model/sync-state.ts';
import {
  appended,
  foundOwn,
  isInNextWrite,
  isUrgentEvent,
  wasRefused,
  withdrawn,
  write,
  wrote,
} from '../../../src/core/model/sync-writes.ts';

const at = { at: 0, v: 2 } as const;
const renamed = (seq: number): SessionEvent => ({ ...at, seq, type: 'session.renamed', title: `${seq}` });
const says = (seq: number, text = 'x'): SessionEvent => ({ ...at, seq, type: 'text.delta', text });
const starts = (seq: number): SessionEvent => ({ ...at, seq, type: 'call.started', callId: 'c', attempt: 1 });
const runEnds = (seq: number): SessionEvent => ({ ...at, seq, type: 'run.ended', runId: 'r', outcome: 'completed' });
const full = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
const conflict = new AgentError('another', { code: 'STORAGE_CONFLICT' });

const saved: SyncState = {
  ...initialSync({ phase: 'saved', stored: 1, writeId: 'log/0', writer: 'here', canLock: true }),
  isFollowing: true,
};
const dirty = (...unsaved: readonly SessionEvent[]): SyncState => ({ ...saved, phase: 'dirty', unsaved });
const saving: SyncState = { ...saved, phase: 'saving', inFlight: 1, sent: 2, sentId: 'log/here.0', writes: 1 };
const batchOf = (...events: readonly SessionEvent[]): Batch => ({
  events,
  expected: { seq: 1, writeId: 'log/0' },
  seq: events.at(-1)?.seq ?? 1,
  writeId: 'log/here.0',
  endsRun: false,
});

describe('an appended event', () => {
  test('is urgent unless it is a short text', () => {
    expect([renamed(2), says(2), says(2, 'x'.repeat(2_047)), says(2, 'x'.repeat(2_048))].map(isUrgentEvent)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test.each<[string, Partial<SyncState>, boolean, boolean]>([
    ['of a closed log', { isClosed: true }, true, true],
    ['of a failed log', { phase: 'failed' }, true, true],
    ['of a stale log', { phase: 'stale' }, true, true],
    ['of a saved log', { phase: 'saved' }, false, false],
    ['of a log whose next write is urgent', { phase: 'dirty', isUrgent: true }, true, true],
    ['that is text, while text is grouped', { phase: 'dirty', isTimed: true }, false, true],
    ['that is urgent, while text is grouped', { phase: 'dirty', isTimed: true }, true, false],
    ['that is text, while a write is under way', { phase: 'saving' }, false, false],
    ['that is text of a saved log, be the timer running', { phase: 'saved', isTimed: true }, false, false],
  ])('%s is in the next write anyway, or not', (_what, state, isUrgent, expected) => {
    const before = { ...saved, ...state };
    expect(isInNextWrite(before, isUrgent)).toBe(expected);
    // Then the signal would change nothing but the timer.
    if (expected && !before.isClosed) expect(appended(before, isUrgent)[0]).toEqual(before);
  });
});

describe('a write', () => {
  const writeOf = (state: SyncState) => {
    const [next, actions] = write(state, 'relaxed');
    const [action] = actions.filter(({ do: what }) => what === 'write');
    return { next, action: action?.do === 'write' ? action : undefined };
  };

  test('that contains the start of a call is strict, whatever else it contains', () => {
    expect(writeOf(dirty(renamed(2), starts(3), says(4))).action?.durability).toBe('strict');
    expect(writeOf(dirty(renamed(2), says(3))).action?.durability).toBe('relaxed');
  });

  test('of text alone leaves the row of the list as it is', () => {
    expect(writeOf(dirty(says(2), says(3))).action?.content.phase).toBe('streaming');
    const replied: SessionEvent = { ...at, seq: 3, type: 'reply.ended', finish: 'stop' };
    expect(writeOf(dirty(says(2), replied)).action?.content.phase).toBe('streaming');
    expect(writeOf(dirty(renamed(2), says(3))).action?.content.phase).toBeUndefined();
  });

  test('that ends a run joins the deltas of the run, unless another write is under way', () => {
    const ending = { ...dirty(says(4), runEnds(5)), stored: 3, sent: 3, runEvents: [says(2), says(3)] };
    const { action } = writeOf(ending);
    expect(action?.batch.endsRun).toBe(true);
    expect(action?.content).toMatchObject({
      phase: 'settled',
      events: [
        { type: 'text.delta', text: 'xxx', since: 2, seq: 4 },
        { type: 'run.ended', seq: 5 },
      ],
    });
    expect(writeOf(dirty(renamed(2))).action?.batch.endsRun).toBe(false);
    expect(writeOf({ ...ending, inFlight: 1 }).action?.content).toEqual({ events: [says(4), runEnds(5)] });
  });

  test('builds on the one before and has a name of its own', () => {
    const one = writeOf(dirty(renamed(2)));
    const two = writeOf({ ...one.next, unsaved: [renamed(3)] });
    expect(one.action?.batch.expected).toEqual({ seq: 1, writeId: 'log/0' });
    expect(two.action?.batch.expected).toEqual({ seq: 2, writeId: one.action?.batch.writeId });
    const three = writeOf({ ...two.next, unsaved: [renamed(4)] });
    const names = [one, two, three].map(({ action }) => action?.batch.writeId);
    expect(new Set(names).size).toBe(3);
    expect(three.next).toMatchObject({ inFlight: 3, unsaved: [], writes: 3, sent: 4 });
  });
});

describe('a write that has succeeded', () => {
  test('shows that the refused writes before it are stored', () => {
    const refused = [{ batch: batchOf(renamed(2)), error: full }];
    const [next] = wrote({ ...saving, refused, runEvents: [says(1)] }, batchOf(renamed(3)));
    expect(next).toMatchObject({ phase: 'saved', stored: 3, refused: [], unsure: [], retryIn: firstRetry });
    expect(next.runEvents).toEqual([says(1), renamed(2), renamed(3)]);
  });

  test('shows nothing of the refused writes after it, which are tried again', () => {
    const later: Batch = { ...batchOf(says(4), runEnds(5)), expected: { seq: 3, writeId: 'log/here.1' } };
    const refused = [{ batch: later, error: full }];
    const [next] = wrote({ ...saving, refused, unsaved: [renamed(6)] }, batchOf(renamed(3)));
    expect(next).toMatchObject({ phase: 'failed', stored: 3, sent: 3, sentId: 'log/here.1', refused: [] });
    expect(next.unsaved).toEqual([says(4), runEnds(5), renamed(6)]);
    expect(next.runEvents).toEqual([renamed(3)]);
  });

  test('does not, if another tab has written before: the log is read again', () => {
    const refused = [{ batch: batchOf(renamed(2)), error: conflict }];
    const [next, actions] = wrote({ ...saving, refused }, batchOf(renamed(3)));
    expect(next).toMatchObject({ phase: 'stale', unsaved: [renamed(2)], runEvents: [renamed(3)] });
    expect(next.problem).toEqual({ state: 'stale', error: conflict });
    expect(actions).toEqual([{ do: 'read' }]);
  });

  test('waits for the others that are under way', () => {
    const [next, actions] = wrote(
      { ...saving, inFlight: 2, unsaved: [renamed(4)], isUrgent: true },
      batchOf(renamed(3)),
    );
    expect(next).toMatchObject({ phase: 'saving', inFlight: 1, unsaved: [renamed(4)] });
    expect(actions).toEqual([]);
  });

  test('ends the run with which it ends', () => {
    const [next] = wrote({ ...saving, runEvents: [says(1)] }, { ...batchOf(runEnds(2)), endsRun: true });
    expect(next.runEvents).toEqual([]);
  });
});

describe('a write that was refused', () => {
  test('is tried again with the events after it, and the store may have it all the same', () => {
    const earlier = { seq: 9, writeId: 'log/earlier' };
    const [next, actions] = wasRefused(
      { ...saving, unsaved: [renamed(3)], unsure: [earlier] },
      batchOf(renamed(2)),
      full,
    );
    expect(next).toMatchObject({
      phase: 'failed',
      problem: { state: 'failed', error: full },
      unsaved: [renamed(2), renamed(3)],
      sent: 1,
      sentId: 'log/0',
      unsure: [earlier, { seq: 2, writeId: 'log/here.0' }],
    });
    expect(actions).toEqual([{ do: 'wait', ms: firstRetry }]);
  });

  test('is tried again after twice the time, up to a limit', () => {
    const waits: number[] = [];
    let state = saving;
    for (let count = 0; count < 8; count++) {
      const [next, actions] = wasRefused({ ...state, inFlight: 1, unsaved: [] }, batchOf(renamed(2)), full);
      for (const action of actions) if (action.do === 'wait') waits.push(action.ms);
      state = next;
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, lastRetry, lastRetry, lastRetry]);
  });
});

test('of a disk that refuses for hours, the newest writes are kept as those that may be stored', () => {
  let state: SyncState = saving;
  for (let count = 0; count < 500; count++) {
    const batch = { ...batchOf(renamed(2)), writeId: `log/here.${count}` };
    [state] = wasRefused({ ...state, inFlight: 1, unsaved: [] }, batch, full);
  }
  expect(state.unsure.length).toBeLessThan(100);
  expect(state.unsure.at(-1)).toEqual({ seq: 2, writeId: 'log/here.499' });
});

describe('a refused write that turns out to be stored', () => {
  const found = (writeId?: string): StoredSession => ({
    summary: { ...toSummary(initialState('s')), seq: 3 },
    events: [],
    ...(writeId !== undefined && { writeId }),
  });
  const stale: SyncState = {
    ...saved,
    phase: 'stale',
    problem: { state: 'stale', error: conflict },
    unsaved: [renamed(2), renamed(3), renamed(4)],
    unsure: [
      { seq: 2, writeId: 'log/here.0' },
      { seq: 3, writeId: 'log/here.1' },
    ],
    reading: { isWhole: true, after: 1 },
  };

  test('counts as acknowledged, and the events after it are written', () => {
    const [next, actions] = foundOwn(stale, found('log/here.1')) ?? [];
    expect(next).toMatchObject({ phase: 'saving', stored: 3, sent: 4, unsaved: [], unsure: [], heard: Infinity });
    expect(next?.reading).toBeUndefined();
    expect(next?.runEvents).toEqual([renamed(2), renamed(3)]);
    expect(actions).toMatchObject([
      { do: 'write', batch: { events: [renamed(4)], expected: { seq: 3, writeId: 'log/here.1' } } },
    ]);
  });

  test('leaves nothing to write if it was the last one, and the store is read for what others wrote', () => {
    const [next, actions] = foundOwn({ ...stale, unsaved: [renamed(2), renamed(3)] }, found('log/here.1')) ?? [];
    expect(next).toMatchObject({ phase: 'saved', stored: 3, unsaved: [], isUrgent: false });
    expect(actions).toEqual([{ do: 'read', after: 3 }]);
  });

  test.each<[string, SyncState, Parameters<typeof foundOwn>[1]]>([
    ['another write', stale, found('log/theirs.0')],
    ['a write without a name', stale, found()],
    ['no log', stale, 'removed'],
    ['an erased log', stale, 'erased'],
    ['its own write, while the log is not stale', { ...stale, phase: 'failed' }, found('log/here.1')],
  ])('is not seen in %s', (_what, state, stored) => {
    expect(foundOwn(state, stored)).toBeUndefined();
  });
});

describe('an event that is withdrawn', () => {
  test('leaves its number to the events after it', () => {
    const unsure = [{ seq: 4, writeId: 'log/here.0' }];
    const [next, actions] = withdrawn({ ...dirty(renamed(2), renamed(3), renamed(4)), unsure }, 3);
    expect(next.unsaved).toEqual([renamed(2), { ...renamed(4), seq: 3 }]);
    expect([next.phase, next.unsure, actions]).toEqual(['dirty', [], []]);
  });

  test('leaves a saved log, if it was the only one', () => {
    const [next, actions] = withdrawn({ ...dirty(renamed(2)), isUrgent: true, isTimed: true, retryIn: 8_000 }, 2);
    expect(next).toMatchObject({ phase: 'saved', unsaved: [], isUrgent: false, isTimed: false, retryIn: firstRetry });
    expect(actions).toEqual([{ do: 'stop-timer' }]);
  });

  test.each<[string, SyncState, number]>([
    ['it is in a write', { ...dirty(renamed(2)), inFlight: 1 }, 2],
    ['the log is stale', { ...dirty(renamed(2)), phase: 'stale' }, 2],
    ['it is stored', dirty(renamed(2), renamed(3)), 1],
    ['it does not exist', dirty(renamed(2), renamed(3)), 4],
  ])('stays where %s', (_why, state, seq) => {
    expect(withdrawn(state, seq)).toEqual([state, []]);
  });
});

describe('a change that the store reports', () => {
  test.each(['dirty', 'saving'] as const)('is counted while the log is %s, and read afterwards', (phase) => {
    const [counted, actions] = changed({ ...saved, phase, heard: 1 });
    expect([counted.heard, actions]).toEqual([2, []]);
    const [next, reads] = becameSaved(counted);
    expect(next).toMatchObject({ phase: 'saved', heard: 0, reading: { after: 1 } });
    expect(reads).toEqual([{ do: 'read', after: 1 }]);
  });

  test('of this tab alone is not read', () => {
    const [counted] = changed({ ...saving, unsaved: [] });
    const [next, actions] = wrote(counted, batchOf(renamed(2)));
    expect([next.phase, next.heard, actions]).toEqual(['saved', 0, []]);
  });
});
