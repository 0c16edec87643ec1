import { AgentError, type SessionEvent } from 'brooklet';
import { initialState, type StoredSession } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { toSummary } from '../../../src/core/model/summary.ts';
import { sync } from '../../../src/core/model/sync.ts';
import {
  type Batch,
  initialSync,
  type Signal,
  type SyncFacts,
  type SyncState,
} from '../../../src/core/model/sync-state.ts';

const at = { at: 0, v: 2 } as const;
const says = (seq: number): SessionEvent => ({ ...at, seq, type: 'text.delta', text: 'x' });
const found: StoredSession = {
  summary: { ...toSummary(initialState('s')), seq: 2 },
  events: [says(2)],
  writeId: 'log/there.0',
};
const batch: Batch = { events: [says(2)], expected: { seq: 1 }, seq: 2, writeId: 'log/here.0', endsRun: false };

const saved: SyncState = {
  ...initialSync({ phase: 'saved', stored: 1, writeId: 'log/0', writer: 'here', canLock: true }),
  isFollowing: true,
};
const resting: SyncState = { ...saved, phase: 'saving', inFlight: 1, sent: 2, lease: 'held', isResting: true };

const idle: SyncFacts = { isRunning: false, isDriving: false };
const elsewhere: SyncFacts = { isRunning: true, isDriving: false };
const here: SyncFacts = { isRunning: true, isDriving: true };

/** Gives one signal after the other, and returns the last state and all actions. */
function play(state: SyncState, facts: SyncFacts, ...signals: readonly Signal[]) {
  const done: string[] = [];
  let last = state;
  for (const signal of signals) {
    const [next, actions] = sync(last, signal, facts);
    last = next;
    done.push(...actions.map((action) => action.do));
  }
  return { state: last, done };
}

describe('a session that a person takes over', () => {
  test.each([
    ['that waits for the lock', saved, [{ type: 'acquired' }]],
    ['that has the lock', { ...saved, lease: 'held' }, []],
  ] as const)('in a tab %s: its run ends, even if its owner has stored events since', (_where, state, granted) => {
    const before = play(state, elsewhere, { type: 'steal' }, ...granted, { type: 'read', found });
    expect(before.done).not.toContain('recover');
    const { state: last, done } = play(before.state, elsewhere, { type: 'status' });
    expect(done).toEqual(['recover']);
    expect(last).toMatchObject({ lease: 'held', watch: undefined });
  });

  test('without locks is at rest as soon as it has been read, if no run is open any more', () => {
    const forced = { seq: 1, isLooking: true, isForced: true };
    const taken: SyncState = { ...saved, canLock: false, watch: forced, reading: { isWhole: false, after: 1 } };
    const { state } = play(taken, idle, { type: 'status' });
    expect(state).toMatchObject({ isResting: true, watch: forced });
    expect(play(state, idle, { type: 'unreadable' }).state).toMatchObject({ isResting: false, watch: undefined });
  });
});

test('a tab that waits for the end of a run keeps the place of the log where it began to wait', () => {
  const watching: SyncState = { ...saved, stored: 3, sent: 3, lease: 'waiting', watch: { seq: 1, isLooking: false } };
  expect(sync(watching, { type: 'status' }, elsewhere)).toEqual([watching, []]);
});

test('a tab that has the lock when it finds a run of another tab lets its owner go first', () => {
  const holding: SyncState = { ...saved, lease: 'held' };
  const { state, done } = play(holding, elsewhere, { type: 'status' });
  expect(done).toEqual(['release', 'acquire']);
  expect(state).toMatchObject({ lease: 'waiting', watch: { seq: 1, isLooking: false } });
  // The lock is granted at once where the run has no owner any more.
  const after = play(state, elsewhere, { type: 'acquired' }, { type: 'unreadable' }, { type: 'status' });
  expect(after.done).toEqual(['read', 'recover']);
});

test('a status that changes beside a lease does not cut short the wait of text for more text', () => {
  const grouping: SyncState = { ...saved, phase: 'dirty', unsaved: [says(2)], isTimed: true };
  expect(sync(grouping, { type: 'status' }, idle)).toEqual([grouping, []]);
});

describe('the lease of a session at rest', () => {
  test('is released when its last events are stored', () => {
    const { state, done } = play(resting, idle, { type: 'saved', batch });
    expect(state).toMatchObject({ phase: 'saved', lease: 'none', isResting: false });
    expect(done).toEqual(['release']);
  });

  test('is kept while text waits to be stored', () => {
    const { state, done } = play({ ...resting, unsaved: [says(3)] }, idle, { type: 'saved', batch });
    expect(state).toMatchObject({ phase: 'dirty', lease: 'held', isResting: true });
    expect(done).toEqual(['wait']);
  });

  test('is kept while the store refuses its events', () => {
    const error = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
    const { state, done } = play(resting, idle, { type: 'refused', batch, error });
    expect(state).toMatchObject({ phase: 'failed', lease: 'held', isResting: true });
    expect(done).toEqual(['wait']);
  });

  test('is kept if the next run begins before everything is stored', () => {
    const { state, done } = play(resting, here, { type: 'saved', batch });
    expect(state).toMatchObject({ phase: 'saved', lease: 'held', isResting: false });
    expect(done).toEqual([]);
  });

  test('is not released by a tab whose lock was denied', () => {
    const { state, done } = play({ ...resting, lease: 'waiting' }, idle, { type: 'denied' });
    expect(state).toMatchObject({ lease: 'none', isResting: false, watch: undefined });
    expect(done).toEqual([]);
  });
});

test('a tab that has lost its lock refuses every flush that began before', () => {
  const { state, done } = play(resting, here, { type: 'lost' });
  expect(state).toMatchObject({ lease: 'none', isResting: false, generation: 1 });
  expect(done).toEqual(['release', 'yield']);
});
