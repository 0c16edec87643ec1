import { AgentError, type SessionEvent } from 'brooklet';
import { initialState, type StoredSession } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { toSummary } from '../../../src/core/model/summary.ts';
import { collect, sync } from '../../../src/core/model/sync.ts';
import {
  type Batch,
  firstRetry,
  initialSync,
  type Signal,
  type SyncFacts,
  type SyncState,
  toStorageStatus,
} from '../../../src/core/model/sync-state.ts';

const at = { at: 0, v: 2 } as const;
const renamed = (seq: number): SessionEvent => ({ ...at, seq, type: 'session.renamed', title: 'x' });
const started = (seq: number): SessionEvent => ({ ...at, seq, type: 'run.started', runId: 'theirs' });
const stored = (...events: readonly SessionEvent[]): StoredSession => ({
  summary: { ...toSummary(initialState('s')), seq: events.at(-1)?.seq ?? 1 },
  events,
});
const restoring = { events: [renamed(1)], writeId: 'new/0', summary: stored(renamed(1)).summary };
const error = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
const conflict = new AgentError('another', { code: 'STORAGE_CONFLICT' });
const rejected = new AgentError('no JSON', { code: 'STORAGE_REJECTED' });
const batch: Batch = {
  events: [renamed(2)],
  expected: { seq: 1, writeId: 'log/0' },
  seq: 2,
  writeId: 'log/here.0',
  endsRun: false,
};
const start = { stored: 1, writeId: 'log/0', writer: 'here' };

const saved: SyncState = { ...initialSync({ ...start, phase: 'saved', canLock: true }), isFollowing: true };
const saving: SyncState = { ...saved, phase: 'saving', inFlight: 1, sent: 2 };
const unsaved = { unsaved: [renamed(2)] };
const phases: Readonly<Record<string, SyncState>> = {
  memory: initialSync({ ...start, phase: 'memory', canLock: false }),
  'read-only': initialSync({ ...start, phase: 'read-only', canLock: false }),
  saved,
  'saved, reading': { ...saved, reading: { isWhole: false, after: 1 } },
  dirty: { ...saved, ...unsaved, phase: 'dirty', isUrgent: true },
  'dirty, grouping': { ...saved, ...unsaved, phase: 'dirty', isTimed: true },
  saving,
  'saving, more': { ...saving, unsaved: [renamed(3)], isUrgent: true },
  failed: { ...saved, ...unsaved, phase: 'failed', problem: { state: 'failed', error }, isTimed: true },
  stale: { ...saved, ...unsaved, phase: 'stale', problem: { state: 'stale', error: conflict } },
  'stale, reading': {
    ...saved,
    ...unsaved,
    phase: 'stale',
    problem: { state: 'stale', error: conflict },
    reading: { isWhole: true, after: 1 },
  },
};
const places: Readonly<Record<string, SyncState>> = {
  none: saved,
  waiting: { ...saved, lease: 'waiting' },
  held: { ...saved, lease: 'held' },
  'held, saving': { ...saving, lease: 'held' },
  'held, resting': { ...saving, lease: 'held', isResting: true },
  watching: { ...saved, lease: 'waiting', watch: { seq: 1, isLooking: false } },
  'watching, changed': { ...saved, stored: 2, sent: 2, lease: 'held', watch: { seq: 1, isLooking: true } },
  looking: { ...saved, lease: 'held', watch: { seq: 1, isLooking: true } },
  'looking, reading': {
    ...saved,
    lease: 'held',
    watch: { seq: 1, isLooking: true },
    reading: { isWhole: false, after: 1 },
  },
};

const signals: Readonly<Record<string, Signal>> = {
  'text appended': { type: 'appended', isUrgent: false },
  appended: { type: 'appended', isUrgent: true },
  turn: { type: 'turn' },
  timer: { type: 'timer' },
  hidden: { type: 'hidden' },
  flush: { type: 'flush', durability: 'strict' },
  saved: { type: 'saved', batch },
  failed: { type: 'refused', batch, error },
  conflict: { type: 'refused', batch, error: conflict },
  rejected: { type: 'refused', batch, error: rejected },
  withdrawn: { type: 'withdrawn', seq: 2 },
  opened: { type: 'opened' },
  changed: { type: 'changed' },
  look: { type: 'look' },
  'read nothing new': { type: 'read', found: stored(renamed(1)) },
  'read a rename': { type: 'read', found: stored(renamed(2)) },
  'read a run': { type: 'read', found: stored(started(2)) },
  'read: removed': { type: 'read', found: 'removed' },
  'read: erased': { type: 'read', found: 'erased' },
  unreadable: { type: 'unreadable' },
  restored: { type: 'restored', write: restoring },
  own: { type: 'own' },
  steal: { type: 'steal' },
  acquired: { type: 'acquired' },
  denied: { type: 'denied' },
  lost: { type: 'lost' },
  status: { type: 'status' },
  closed: { type: 'closed' },
};

/** A signal that can come in a phase: an answer needs a write or a read under way. */
function canCome(state: SyncState, { type }: Signal): boolean {
  if (type === 'saved' || type === 'refused') return state.inFlight > 0;
  if (type === 'read' || type === 'unreadable' || type === 'restored') return state.reading !== undefined;
  if (type === 'acquired' || type === 'denied') return state.lease === 'waiting';
  if (type === 'lost') return state.lease === 'held';
  return true;
}

function inWords(state: SyncState, signal: Signal, facts: SyncFacts): string {
  const [next, actions] = sync(state, signal, facts);
  const what = [
    next.phase,
    ...(next.isUrgent ? ['urgent'] : []),
    ...(next.isTimed ? ['timed'] : []),
    ...(next.reading ? [next.reading.isWhole ? 'reading all' : 'reading'] : []),
    ...(next.lease === 'none' ? [] : [next.lease]),
    ...(next.watch ? [next.watch.isLooking ? 'looking' : 'watching'] : []),
    ...(next.isResting ? ['resting'] : []),
    ...(next.isClosed ? ['closed'] : []),
  ].join(' ');
  const done = actions.map((action) => (Object.hasOwn(action, 'do') ? action.do : 'no action')).join(', ');
  return done === '' ? what : `${what} → ${done}`;
}

const idle: SyncFacts = { isRunning: false, isDriving: false };
const elsewhere: SyncFacts = { isRunning: true, isDriving: false };
const here: SyncFacts = { isRunning: true, isDriving: true };

function walk(states: typeof phases, facts: SyncFacts, only: (type: string) => boolean): readonly string[] {
  return Object.entries(states).flatMap(([name, state]) =>
    Object.entries(signals)
      .filter(([, signal]) => only(signal.type) && canCome(state, signal))
      .map(([what, signal]) => `${name} | ${what} | ${inWords(state, signal, facts)}`),
  );
}

const isLease = (type: string): boolean =>
  ['own', 'steal', 'acquired', 'denied', 'lost', 'status', 'closed'].includes(type);

const lines = (table: string): readonly string[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim());

describe('the life of a replica, pair by pair', () => {
  test('phases and signals', () => {
    expect(walk(phases, here, (type) => !isLease(type))).toEqual(lines(phaseTable));
  });

  test.each([
    ['nothing runs', idle, () => idleTable],
    ['another tab runs the session', elsewhere, () => elsewhereTable],
    ['this tab runs the session', here, () => hereTable],
  ])('places in the lock queue and signals, where %s', (_when, facts, table) => {
    expect(walk(places, facts, isLease)).toEqual(lines(table()));
  });

  test('a closed replica does nothing any more', () => {
    for (const state of [...Object.values(phases), ...Object.values(places)])
      for (const signal of Object.values(signals)) {
        const [closed] = sync(state, { type: 'closed' }, here);
        expect(sync(closed, signal, elsewhere)).toEqual([closed, []]);
      }
  });
});

test('an event that no try can store leaves a mark in its place, and the others are written', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const odd: SessionEvent = { ...at, seq: 3, type: 'part.added', part: { type: 'provider', name: 'x', data: null } };
  Object.assign(odd.part, { data: cycle });
  const events = [renamed(2), odd, renamed(4)];
  const writing: SyncState = { ...saving, sent: 4 };
  const refused: Batch = { ...batch, events, seq: 4 };
  const [next, actions] = sync(writing, { type: 'refused', batch: refused, error: rejected }, here);
  const write = actions.find((action) => action.do === 'write');
  const mark = { ...at, seq: 3, type: 'event.dropped', of: 'part.added' };
  expect(write?.batch).toMatchObject({ events: [renamed(2), mark, renamed(4)], expected: { seq: 1 }, seq: 4 });
  // Plain events are refused too: in pieces, until one event is refused alone.
  let [after] = [next];
  let last = write;
  const tried: (readonly number[])[] = [];
  for (let round = 0; round < 4 && last?.do === 'write'; round++) {
    const transition = sync(after, { type: 'refused', batch: last.batch, error: rejected }, here);
    after = transition[0];
    last = transition[1].find((action) => action.do === 'write');
    tried.push(last?.do === 'write' ? last.batch.events.map(({ seq }) => seq) : []);
    if (last === undefined) expect(transition[1].map((action) => action.do)).toEqual(['wait']);
  }
  // A store that refuses the mark too refuses everything, and is asked again later.
  expect(tried).toEqual([[2, 3], [2], [2], []]);
});

test('a read that nobody waits for changes nothing', () => {
  expect(sync(saved, { type: 'unreadable' }, here)).toEqual([saved, []]);
  expect(sync(saved, { type: 'read', found: stored(renamed(2)) }, here)).toEqual([saved, []]);
});

describe('a log that was loaded', () => {
  test('has nothing to write, no lease and no timer, and follows nobody before it is opened', () => {
    expect(initialSync({ ...start, phase: 'saved', canLock: true })).toEqual({
      phase: 'saved',
      problem: undefined,
      stored: 1,
      sent: 1,
      sentId: 'log/0',
      lineage: 'log',
      writer: 'here',
      writes: 0,
      unsure: [],
      unsaved: [],
      isUrgent: false,
      isTimed: false,
      inFlight: 0,
      refused: [],
      plainUpTo: 0,
      runEvents: [],
      retryIn: firstRetry,
      isFollowing: false,
      mustReadAgain: false,
      heard: 0,
      refusedAt: 0,
      refusals: 0,
      reappends: 0,
      generation: 0,
      canLock: true,
      lease: 'none',
      isResting: false,
      isClosed: false,
    });
  });

  test('begins a lineage of its own if no write of its store has an id', () => {
    expect(initialSync({ phase: 'saved', stored: 1, writer: 'here', canLock: true }).lineage).toBe('here');
  });
});

describe('an opened log', () => {
  const open = (state: SyncState, facts: SyncFacts) => sync(state, { type: 'opened' }, facts);

  test('follows the other tabs only if it is stored and undamaged', () => {
    const follows = ['saved', 'memory', 'read-only'] as const;
    expect(follows.map((phase) => open(initialSync({ ...start, phase, canLock: true }), idle)[0].isFollowing)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is not read if nothing of it is stored', () => {
    const [next, actions] = open(initialSync({ phase: 'saved', stored: 0, writer: 'here', canLock: true }), idle);
    expect(next.isFollowing).toBe(true);
    expect(next.reading).toBeUndefined();
    expect(actions).toEqual([]);
  });

  test('ends the run that was left open, where no lock can tell whether its owner is alive', () => {
    const noLocks: SyncState = { ...saved, canLock: false };
    const doneBy = (state: SyncState, facts: SyncFacts) => open(state, facts)[1].map((action) => action.do);
    expect(doneBy(noLocks, elsewhere)).toEqual(['recover', 'read']);
    expect(doneBy(noLocks, here)).toEqual(['read']);
    expect(doneBy(noLocks, idle)).toEqual(['read']);
    expect(doneBy(saved, elsewhere)).toEqual(['read']);
  });
});

test('a page that hides writes relaxed, and a flush as it asks', () => {
  const durability = (signal: Signal) =>
    sync({ ...saved, ...unsaved, phase: 'dirty' }, signal, here)[1].map(
      (action) => action.do === 'write' && action.durability,
    );
  expect(durability({ type: 'hidden' })).toEqual(['relaxed']);
  expect(durability({ type: 'flush', durability: 'strict' })).toEqual(['strict']);
});

test('a closed log stops its timer', () => {
  const grouping: SyncState = { ...saved, ...unsaved, phase: 'dirty', isTimed: true };
  expect(sync(grouping, { type: 'closed' }, idle)[1]).toEqual([{ do: 'stop-timer' }]);
});

test('collected events are unsaved after those before, and none leave the state as it is', () => {
  expect(collect(saved, [])).toBe(saved);
  expect(collect({ ...saved, ...unsaved }, [renamed(3), renamed(4)]).unsaved.map(({ seq }) => seq)).toEqual([2, 3, 4]);
});

describe('the status of a log', () => {
  test('is saving until the refused events of a person are in the log again', () => {
    const [reappending] = sync(
      { ...saved, ...unsaved, phase: 'stale', reading: { isWhole: true, after: 1 } },
      { type: 'read', found: stored(renamed(1)) },
      idle,
    );
    expect(reappending).toMatchObject({ phase: 'saved', reappends: 1 });
    expect(toStorageStatus(reappending, true)).toEqual({ state: 'saving' });
    const [done, actions] = sync(reappending, { type: 'reappended' }, idle);
    expect(actions).toEqual([]);
    expect(done).toEqual({ ...reappending, reappends: 0 });
    expect(toStorageStatus(done, true)).toEqual({ state: 'saved' });
  });

  test('is memory in a store that lasts only as long as the page', () => {
    expect(toStorageStatus(saved, false)).toEqual({ state: 'memory' });
    expect(toStorageStatus(saving, true)).toEqual({ state: 'saving' });
  });
});

test('text appended while an erased session is stored again waits no longer', () => {
  const restoringAll: SyncState = { ...saved, reading: { isWhole: true, after: 1 } };
  const [typing] = sync({ ...restoringAll, ...unsaved }, { type: 'appended', isUrgent: false }, here);
  const [next, actions] = sync(typing, { type: 'restored', write: restoring }, here);
  expect(next).toMatchObject({ phase: 'saved', isTimed: false, unsaved: [], stored: 1 });
  expect(actions.map((action) => action.do)).toEqual(['stop-timer', 'reset', 'reappend']);
});

test('text appended while a failed log is tried again waits for more text', () => {
  const retrying: SyncState = { ...saving, phase: 'failed', unsaved: [renamed(3)] };
  const [next, actions] = sync(retrying, { type: 'saved', batch }, here);
  expect(next).toMatchObject({ phase: 'dirty', isTimed: true });
  expect(actions.map((action) => action.do)).toEqual(['wait']);
});

// state | signal | next state → actions, in order
const phaseTable = `
  memory | text appended | memory
  memory | appended | memory
  memory | turn | memory
  memory | timer | memory
  memory | hidden | memory
  memory | flush | memory
  memory | withdrawn | memory
  memory | opened | memory
  memory | changed | memory
  memory | look | memory
  read-only | text appended | read-only
  read-only | appended | read-only
  read-only | turn | read-only
  read-only | timer | read-only
  read-only | hidden | read-only
  read-only | flush | read-only
  read-only | withdrawn | read-only
  read-only | opened | read-only
  read-only | changed | read-only
  read-only | look | read-only
  saved | text appended | dirty timed → wait
  saved | appended | dirty urgent → end-turn
  saved | turn | saved
  saved | timer | saved
  saved | hidden | saved
  saved | flush | saved
  saved | withdrawn | saved
  saved | opened | saved reading → read
  saved | changed | saved reading → read
  saved | look | saved reading → read
  saved, reading | text appended | dirty timed reading → wait
  saved, reading | appended | dirty urgent reading → end-turn
  saved, reading | turn | saved reading
  saved, reading | timer | saved reading
  saved, reading | hidden | saved reading
  saved, reading | flush | saved reading
  saved, reading | withdrawn | saved reading
  saved, reading | opened | saved reading
  saved, reading | changed | saved reading
  saved, reading | look | saved reading
  saved, reading | read nothing new | saved
  saved, reading | read a rename | saved → accept
  saved, reading | read a run | saved → yield, accept
  saved, reading | read: removed | saved → close
  saved, reading | read: erased | saved
  saved, reading | unreadable | saved
  saved, reading | restored | saved → reset
  dirty | text appended | dirty urgent timed → wait
  dirty | appended | dirty urgent → end-turn
  dirty | turn | saving → write
  dirty | timer | saving → write
  dirty | hidden | saving → write
  dirty | flush | saving → write
  dirty | withdrawn | saved
  dirty | opened | dirty urgent
  dirty | changed | dirty urgent
  dirty | look | dirty urgent
  dirty, grouping | text appended | dirty timed → wait
  dirty, grouping | appended | dirty urgent timed → end-turn
  dirty, grouping | turn | dirty timed
  dirty, grouping | timer | saving → write
  dirty, grouping | hidden | saving → stop-timer, write
  dirty, grouping | flush | saving → stop-timer, write
  dirty, grouping | withdrawn | saved → stop-timer
  dirty, grouping | opened | dirty timed
  dirty, grouping | changed | dirty timed
  dirty, grouping | look | dirty timed
  saving | text appended | saving timed → wait
  saving | appended | saving urgent
  saving | turn | saving
  saving | timer | saving
  saving | hidden | saving
  saving | flush | saving
  saving | saved | saved
  saving | failed | failed timed → wait
  saving | conflict | stale reading all → read
  saving | rejected | saving → write
  saving | withdrawn | saving
  saving | opened | saving
  saving | changed | saving
  saving | look | saving
  saving, more | text appended | saving urgent timed → wait
  saving, more | appended | saving urgent
  saving, more | turn | saving urgent
  saving, more | timer | saving urgent
  saving, more | hidden | saving → write
  saving, more | flush | saving → write
  saving, more | saved | saving → write
  saving, more | failed | failed timed → wait
  saving, more | conflict | stale reading all → read
  saving, more | rejected | saving → write
  saving, more | withdrawn | saving urgent
  saving, more | opened | saving urgent
  saving, more | changed | saving urgent
  saving, more | look | saving urgent
  failed | text appended | failed timed
  failed | appended | failed timed
  failed | turn | failed timed
  failed | timer | failed → write
  failed | hidden | failed → stop-timer, write
  failed | flush | failed → stop-timer, write
  failed | withdrawn | saved → stop-timer
  failed | opened | failed timed
  failed | changed | failed timed
  failed | look | failed timed
  stale | text appended | stale
  stale | appended | stale
  stale | turn | stale
  stale | timer | stale
  stale | hidden | stale
  stale | flush | stale
  stale | withdrawn | stale
  stale | opened | stale reading all → read
  stale | changed | stale reading all → read
  stale | look | stale reading all → read
  stale, reading | text appended | stale reading all
  stale, reading | appended | stale reading all
  stale, reading | turn | stale reading all
  stale, reading | timer | stale reading all
  stale, reading | hidden | stale reading all
  stale, reading | flush | stale reading all
  stale, reading | withdrawn | stale reading all
  stale, reading | opened | stale reading all
  stale, reading | changed | stale reading all
  stale, reading | look | stale reading all
  stale, reading | read nothing new | saved → yield, reset, reappend
  stale, reading | read a rename | dirty urgent → end-turn, reset, advance
  stale, reading | read a run | saved → yield, reset, reappend
  stale, reading | read: removed | stale → close
  stale, reading | read: erased | stale reading all → restore
  stale, reading | unreadable | stale
  stale, reading | restored | saved → reset, reappend
`;
const idleTable = `
  none | own | saved waiting → acquire
  none | steal | saved waiting watching → steal
  none | status | saved
  none | closed | saved closed
  waiting | own | saved waiting
  waiting | steal | saved waiting watching → release, steal
  waiting | acquired | saved held
  waiting | denied | saved
  waiting | status | saved → release
  waiting | closed | saved closed → release
  held | own | saved held
  held | steal | saved reading held looking → read
  held | lost | saved → release, yield
  held | status | saved → release
  held | closed | saved closed → release
  held, saving | own | saving held
  held, saving | steal | saving held looking
  held, saving | lost | saving → release, yield
  held, saving | status | saving held resting
  held, saving | closed | saving closed → release
  held, resting | own | saving held resting
  held, resting | steal | saving held looking resting
  held, resting | lost | saving → release, yield
  held, resting | status | saving held resting
  held, resting | closed | saving closed → release
  watching | own | saved waiting watching
  watching | steal | saved waiting watching → release, steal
  watching | acquired | saved reading held looking → read
  watching | denied | saved
  watching | status | saved → release
  watching | closed | saved closed → release
  watching, changed | own | saved held looking
  watching, changed | steal | saved reading held looking → read
  watching, changed | lost | saved → release, yield
  watching, changed | status | saved → release
  watching, changed | closed | saved closed → release
  looking | own | saved held looking
  looking | steal | saved reading held looking → read
  looking | lost | saved → release, yield
  looking | status | saved → release
  looking | closed | saved closed → release
  looking, reading | own | saved reading held looking
  looking, reading | steal | saved reading held looking
  looking, reading | lost | saved reading → release, yield
  looking, reading | status | saved reading held looking resting
  looking, reading | closed | saved closed → release
`;
const elsewhereTable = `
  none | own | saved waiting → acquire
  none | steal | saved waiting watching → steal
  none | status | saved waiting watching → acquire
  none | closed | saved closed
  waiting | own | saved waiting
  waiting | steal | saved waiting watching → release, steal
  waiting | acquired | saved held
  waiting | denied | saved
  waiting | status | saved waiting watching
  waiting | closed | saved closed → release
  held | own | saved held
  held | steal | saved reading held looking → read
  held | lost | saved → release, yield
  held | status | saved waiting watching → release, acquire
  held | closed | saved closed → release
  held, saving | own | saving held
  held, saving | steal | saving held looking
  held, saving | lost | saving → release, yield
  held, saving | status | saving waiting watching → release, acquire
  held, saving | closed | saving closed → release
  held, resting | own | saving held resting
  held, resting | steal | saving held looking resting
  held, resting | lost | saving → release, yield
  held, resting | status | saving waiting watching → release, acquire
  held, resting | closed | saving closed → release
  watching | own | saved waiting watching
  watching | steal | saved waiting watching → release, steal
  watching | acquired | saved reading held looking → read
  watching | denied | saved
  watching | status | saved waiting watching
  watching | closed | saved closed → release
  watching, changed | own | saved held looking
  watching, changed | steal | saved reading held looking → read
  watching, changed | lost | saved → release, yield
  watching, changed | status | saved waiting watching → release, acquire
  watching, changed | closed | saved closed → release
  looking | own | saved held looking
  looking | steal | saved reading held looking → read
  looking | lost | saved → release, yield
  looking | status | saved held → recover
  looking | closed | saved closed → release
  looking, reading | own | saved reading held looking
  looking, reading | steal | saved reading held looking
  looking, reading | lost | saved reading → release, yield
  looking, reading | status | saved reading held looking
  looking, reading | closed | saved closed → release
`;
const hereTable = `
  none | own | saved waiting → acquire
  none | steal | saved waiting watching → steal
  none | status | saved
  none | closed | saved closed
  waiting | own | saved waiting
  waiting | steal | saved waiting watching → release, steal
  waiting | acquired | saved held
  waiting | denied | saved
  waiting | status | saved waiting
  waiting | closed | saved closed → release
  held | own | saved held
  held | steal | saved reading held looking → read
  held | lost | saved → release, yield
  held | status | saved held
  held | closed | saved closed → release
  held, saving | own | saving held
  held, saving | steal | saving held looking
  held, saving | lost | saving → release, yield
  held, saving | status | saving held
  held, saving | closed | saving closed → release
  held, resting | own | saving held resting
  held, resting | steal | saving held looking resting
  held, resting | lost | saving → release, yield
  held, resting | status | saving held resting
  held, resting | closed | saving closed → release
  watching | own | saved waiting watching
  watching | steal | saved waiting watching → release, steal
  watching | acquired | saved reading held looking → read
  watching | denied | saved
  watching | status | saved waiting watching
  watching | closed | saved closed → release
  watching, changed | own | saved held looking
  watching, changed | steal | saved reading held looking → read
  watching, changed | lost | saved → release, yield
  watching, changed | status | saved held
  watching, changed | closed | saved closed → release
  looking | own | saved held looking
  looking | steal | saved reading held looking → read
  looking | lost | saved → release, yield
  looking | status | saved held
  looking | closed | saved closed → release
  looking, reading | own | saved reading held looking
  looking, reading | steal | saved reading held looking
  looking, reading | lost | saved reading → release, yield
  looking, reading | status | saved reading held looking
  looking, reading | closed | saved closed → release
`;

describe('a run of another tab that was rewritten as joined events', () => {
  const ended = (seq: number): SessionEvent => ({
    ...at,
    seq,
    type: 'run.ended',
    runId: 'theirs',
    outcome: 'completed',
  });
  const joined = (since: number, seq: number): SessionEvent => ({
    ...at,
    seq,
    since,
    type: 'text.delta',
    text: 'Hello',
  });
  const follows: SyncState = { ...saved, stored: 5, sent: 5, reading: { isWhole: false, after: 5 } };
  const rewritten = [joined(4, 7), ended(8)];
  const read = (state: SyncState, events: readonly SessionEvent[], base?: number) =>
    sync(state, { type: 'read', found: stored(...events) }, { ...idle, base });

  test('is read again from the kept state before it', () => {
    const [next, actions] = read(follows, rewritten, 2);
    expect(actions).toEqual([{ do: 'read', after: 2 }]);
    const events = [started(3), ...rewritten];
    const [last, applied] = read(next, events, 2);
    expect(applied).toContainEqual({ do: 'reset', events, news: [ended(8)], base: 2 });
    expect(last.stored).toBe(8);
  });

  test('is read with the whole log where no state is kept', () => {
    const [next, actions] = read(follows, rewritten);
    expect(actions).toEqual([{ do: 'read' }]);
    const events = [started(3), ...rewritten];
    expect(read(next, events)[1]).toContainEqual({ do: 'reset', events, news: [ended(8)] });
  });

  test('is read with the whole log where the kept state is not a beginning of the stored log', () => {
    const [next] = read(follows, rewritten, 2);
    expect(read(next, [joined(2, 7), ended(8)], 2)[1]).toEqual([{ do: 'read' }]);
    expect(read(next, [renamed(1)], 2)[1]).toEqual([{ do: 'read' }]);
    expect(read(follows, [joined(1, 4)], 2)[1]).toEqual([{ do: 'read' }]);
  });
});
