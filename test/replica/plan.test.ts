import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/core/model/event.ts';
import type { Vetted } from '../../src/sync/decision-guard.ts';
import type { Base } from '../../src/sync/replica/base.ts';
import type { SideState } from '../../src/sync/replica/classify.ts';
import { type Plan, planOf } from '../../src/sync/replica/plan.ts';
import type { Sides } from '../../src/sync/replica/sides.ts';
import { untyped } from '../support/untyped.ts';
import { at, decided, delta, ended, log, moved, named, says, shared, started } from './logs.ts';

const mark = (updatedAt: number): SideState => ({ is: 'mark', stored: untyped({ summary: { updatedAt } }) });
const row: SideState = { is: 'row', stored: untyped({ summary: { seq: 1 } }) };
const removed: SideState = { is: 'removed' };
const missing: SideState = { is: 'missing' };
/** Both sides were the same at `seq` 2. */
const base: Base = { seq: 2, mine: 'a/2', theirs: 'a/2' };
const vetted = (more: Partial<Vetted> = {}): Vetted => ({ events: [], held: [], isOpen: false, spent: [], ...more });
const plan = (sides: Partial<Sides>): Plan =>
  planOf({
    id: 's',
    base: undefined,
    here: missing,
    there: missing,
    from: 0,
    now: 1_000_000,
    isGuarded: false,
    ...sides,
  });

type Row = readonly [what: string, sides: Partial<Sides>, plan: Plan];

describe('what comes first', () => {
  test.each<Row>([
    ['a removal that was cut off', { here: mark(1), there: log(shared) }, { do: 'finish-removal' }],
    ['a row whose log was removed', { here: row, there: removed }, { do: 'drop-row' }],
    ['a row whose log is lost', { here: row, there: missing }, { do: 'drop-row' }],
    [
      'a row whose log is there',
      { here: row, there: log(shared) },
      { do: 'write-here', common: 0, events: shared, isMerged: false, isRevival: false },
    ],
    [
      'damage here',
      { here: log(shared, { damage: 'a hole' }), there: log([...shared, says(3, 'two')]) },
      { do: 'refuse', why: 'damaged', detail: 'a hole' },
    ],
    [
      'a call that has run, before its beginning is taken back',
      { base, here: log(shared), there: log(shared), vetted: vetted({ spent: ['c'] }) },
      { do: 'note-spent', base: { ...base, spent: ['c'] } },
    ],
    [
      'one more of them',
      { base: { ...base, spent: ['b'] }, here: log(shared), there: log(shared), vetted: vetted({ spent: ['b', 'c'] }) },
      { do: 'note-spent', base: { ...base, spent: ['b', 'c'] } },
    ],
    [
      'no more of them',
      { base: { ...base, spent: ['c'] }, here: log(shared), there: log(shared), vetted: vetted({ spent: ['c'] }) },
      { do: 'rest' },
    ],
    [
      'those of a session that was never the same on both sides',
      { here: log(shared), there: log(shared), vetted: vetted({ spent: ['c'] }) },
      { do: 'note', base: { seq: 2, mine: 'a/2', theirs: 'a/2', spent: ['c'] } },
    ],
  ])('is %s', (_what, sides, expected) => {
    expect(plan(sides)).toEqual(expected);
  });

  const open: Partial<Sides> = {
    base: { ...base, isOpen: true },
    here: log([]),
    there: log([says(3, 'two')]),
    from: 2,
    isGuarded: true,
  };
  test('is the whole log, where a call is open whose decision does not count', () => {
    expect(plan(open)).toEqual({ do: 'read-whole' });
  });

  test.each<readonly [what: string, sides: Partial<Sides>]>([
    ['nothing is guarded', { isGuarded: false }],
    ['the logs are whole', { from: 0, here: log(shared), there: log([...shared, says(3, 'two')]) }],
    ['no call is open', { base }],
    ['nothing came', { there: log([]) }],
    ['the remote store has no log', { there: removed, here: log([says(3, 'x')]), base: { ...base, isOpen: true } }],
  ])('is not that where %s', (_what, sides) => {
    const { base: _base, ...rest } = open;
    const found = plan({ ...open, ...sides });
    const unguarded = plan({ ...rest, base, ...sides, isGuarded: false });
    expect(found.do).toBe(unguarded.do);
  });
});

describe('a session that neither side has', () => {
  test.each<Row>([
    ['is left alone', {}, { do: 'rest' }],
    ['is forgotten', { base }, { do: 'forget-base' }],
    ['loses its mark after ten minutes', { there: mark(400_000) }, { do: 'forget-mark' }],
    ['loses its mark before it is forgotten', { there: mark(1), base, here: removed }, { do: 'forget-mark' }],
    ['keeps its mark for ten minutes', { there: mark(400_001) }, { do: 'rest' }],
    ['is forgotten beside a mark', { there: mark(400_001), base }, { do: 'forget-base' }],
    ['was removed', { here: removed, there: removed }, { do: 'rest' }],
  ])('%s', (_what, sides, expected) => {
    expect(plan(sides)).toEqual(expected);
  });
});

describe('two logs, read above what both had', () => {
  const two = says(3, 'two');
  test.each<Row>([
    [
      'store there what is new here',
      { here: log([two]), there: log([]) },
      { do: 'write-there', common: 2, events: [two] },
    ],
    [
      'store here what is new there',
      { here: log([]), there: log([two]) },
      { do: 'write-here', common: 2, events: [two] },
    ],
    ['are read whole where both are new', { here: log([two]), there: log([says(3, 'x')]) }, { do: 'read-whole' }],
    ['are read whole where this one is shorter', { here: log([], { seq: 1 }), there: log([]) }, { do: 'read-whole' }],
    ['are read whole where that one is shorter', { here: log([]), there: log([], { seq: 1 }) }, { do: 'read-whole' }],
    [
      'are read whole where this one was replaced',
      { here: log([two], { writeId: 'b/1' }), there: log([]) },
      { do: 'read-whole' },
    ],
    [
      'are read whole where that one was replaced',
      { here: log([]), there: log([two], { writeId: 'b/1' }) },
      { do: 'read-whole' },
    ],
    [
      'are read whole where both begin within a text',
      { here: log([delta(3, 'ab', 2)]), there: log([delta(4, 'abc', 3)]) },
      { do: 'read-whole' },
    ],
    [
      'are read whole where the other begins within a text',
      { here: log([delta(4, 'abc', 3)]), there: log([delta(3, 'ab', 2)]) },
      { do: 'read-whole' },
    ],
    [
      'are not where the other has nothing new',
      { here: log([delta(3, 'ab', 2)]), there: log([]) },
      { do: 'write-there', common: 2, events: [delta(3, 'ab', 2)] },
    ],
    [
      'are not where this one has nothing new',
      { here: log([]), there: log([delta(3, 'ab', 2)]) },
      { do: 'write-here', common: 2, events: [delta(3, 'ab', 2)] },
    ],
    [
      'are not where the text begins after it',
      { here: log([delta(3, 'ab', 3)]), there: log([delta(3, 'ab', 3)]) },
      { do: 'note', base: { seq: 3, mine: 'a/3', theirs: 'a/3' } },
    ],
  ])('%s', (_what, sides, expected) => {
    expect(plan({ base, from: 2, ...sides })).toEqual(expected);
  });
});

describe('two whole logs', () => {
  const mine = [...shared, says(3, 'mine')];
  const theirs = [...shared, says(3, 'theirs'), says(4, 'more')];
  const named3 = named(3, 'Otters');
  test.each<Row>([
    [
      'where this one is as it was',
      { base: { seq: 3, mine: 'a/3' }, here: log(mine), there: log(theirs) },
      { do: 'write-here', common: 2, events: theirs.slice(2) },
    ],
    [
      'where that one is as it was',
      { base: { seq: 4, theirs: 'a/4' }, here: log(mine), there: log(theirs) },
      { do: 'write-there', common: 2, events: mine.slice(2) },
    ],
    [
      'where both have said something',
      { here: log(mine), there: log(theirs) },
      { do: 'fork', common: 2, events: theirs.slice(2), first: mine[2] as SessionEvent },
    ],
    [
      'where the other has renamed it',
      { here: log(mine), there: log([...shared, named3]) },
      { do: 'write-here', common: 3, events: [named(4, 'Otters')], isMerged: true },
    ],
    [
      'where this one has that name, too',
      { here: log([...mine, named(4, 'Otters')]), there: log([...shared, named3]) },
      { do: 'write-there', common: 2, events: [mine[2], named(4, 'Otters')] as SessionEvent[] },
    ],
    [
      'where this one has renamed it',
      { here: log([...shared, named3]), there: log(theirs) },
      { do: 'write-here', common: 2, events: [...theirs.slice(2), named(5, 'Otters')], isMerged: true },
    ],
    [
      'where this one has only what the other has',
      { here: log([...shared, named3]), there: log([...theirs, named(5, 'Otters')]) },
      { do: 'write-here', common: 2, events: [...theirs.slice(2), named(5, 'Otters')], isMerged: false },
    ],
    [
      'where this one has said what the other has further on',
      { here: log([...shared, moved(says(4, 'more'), 3)]), there: log(theirs) },
      { do: 'write-here', common: 2, events: theirs.slice(2), isMerged: false },
    ],
    [
      'where this one has renamed it, and said something',
      { here: log([...shared, named3, says(4, 'mine')]), there: log(theirs) },
      { do: 'fork', common: 2, events: theirs.slice(2), first: named3 },
    ],
    [
      'where the other has found this device gone',
      { here: log(mine), there: log([...shared, ended(3, 'interrupted')]) },
      { do: 'write-there', common: 2, events: [mine[2]] as SessionEvent[] },
    ],
    [
      'where the run has ended there',
      { here: log(mine), there: log([...shared, ended(3, 'completed')]) },
      { do: 'fork', common: 2, events: [ended(3, 'completed')], first: mine[2] as SessionEvent },
    ],
    [
      'where both have closed the run',
      { here: log([...shared, ended(3, 'completed')]), there: log([...shared, ended(3, 'interrupted')]) },
      { do: 'write-here', common: 2, events: [ended(3, 'interrupted')], isMerged: false },
    ],
    [
      'where this one has closed a question whose time was over',
      { here: log([...shared, decided(3, 'timeout')]), there: log(theirs) },
      { do: 'write-here', common: 2, events: theirs.slice(2), isMerged: false },
    ],
    [
      'where a person has decided here',
      { here: log([...shared, decided(3, 'user')]), there: log(theirs) },
      { do: 'fork', common: 2, events: theirs.slice(2), first: decided(3, 'user') },
    ],
    [
      'where the other has found this device gone, and renamed it',
      { here: log(mine), there: log([...shared, ended(3, 'interrupted'), named(4, 'Otters')]) },
      { do: 'write-here', common: 3, events: [named(4, 'Otters')], isMerged: true },
    ],
  ])('%s', (_what, sides, expected) => {
    expect(plan(sides)).toEqual(expected);
  });
});

describe('a fork', () => {
  const mine = [...shared, says(3, 'mine')];
  const theirs = [...shared, says(3, 'theirs')];
  const fork = (state: SideState, isNeeded: boolean): Partial<Sides> => ({
    here: log(mine),
    there: log(theirs),
    fork: { id: 'f', state, isNeeded },
  });
  const untouched = log(shared, { isUntouchedFork: true });
  test.each<readonly [what: string, sides: Partial<Sides>, more: object]>([
    ['that is done stays, and another one begins', fork(log(shared), false), { keptAs: 'f' }],
    ['that was done, and removed, stays removed', fork(removed, false), { keptAs: 'f' }],
    ['that is done and gone is forgotten', fork(missing, false), {}],
    ['that has not begun, begins', fork(missing, true), { begun: { id: 'f', stored: undefined } }],
    ['that was cut off goes on', fork(untouched, true), { begun: { id: 'f', stored: untouched.stored } }],
    ['that a page has written to stays', fork(log(shared), true), {}],
    ['that a person has removed stays removed', fork(removed, true), {}],
  ])('%s', (_what, sides, more) => {
    expect(plan(sides)).toEqual({ do: 'fork', common: 2, events: theirs.slice(2), first: mine[2], ...more });
  });

  const forking = { id: 'f', first: 'x' };
  const same = (state: SideState, isNeeded: boolean, more: Partial<Base> = {}): Partial<Sides> => ({
    base: { ...base, forking, ...more },
    here: log(shared),
    there: log(shared),
    fork: { id: 'f', state, isNeeded },
  });
  test.each<Row>([
    ['that is done is noted', same(log(shared), false), { do: 'note', base: { ...base, keptAs: 'f' }, keptAs: 'f' }],
    [
      'that was noted is not noted again',
      same(log(shared), false, { keptAs: 'f' }),
      { do: 'note', base: { ...base, keptAs: 'f' } },
    ],
    ['that is gone is forgotten', same(missing, true), { do: 'note', base }],
    ['that is done and gone is forgotten', same(missing, false), { do: 'note', base }],
    ['that no page needs is removed', same(untouched, true), { do: 'note', base, unneeded: 'f' }],
    ['that a page has written to is not', same(log(shared), true), { do: 'note', base }],
    ['that a person has removed is not', same(removed, true), { do: 'note', base }],
  ])('%s, where both logs are the same', (_what, sides, expected) => {
    expect(plan(sides)).toEqual(expected);
  });
});

describe('two logs that are the same', () => {
  const held = [{ callId: 'c', why: 'unsigned', decision: { verdict: 'approved' } }] as const;
  test.each<Row>([
    ['are noted', {}, { do: 'note', base }],
    ['rest once they are noted', { base }, { do: 'rest' }],
    ['are noted with what is held', { base, vetted: vetted({ held }) }, { do: 'note', base: { ...base, held } }],
    ['rest with what is held', { base: { ...base, held }, vetted: vetted({ held }) }, { do: 'rest' }],
    ['rest with what is held, where nothing was checked', { base: { ...base, held } }, { do: 'rest' }],
    [
      'are noted without what is held no more',
      { base: { ...base, held }, vetted: vetted() },
      { do: 'note', base: { seq: 2, mine: 'a/2', theirs: 'a/2' } },
    ],
    [
      'are noted where a call is open now',
      { base, vetted: vetted({ isOpen: true }) },
      { do: 'note', base: { ...base, isOpen: true } },
    ],
    [
      'are noted with another write here',
      { base, here: log(shared, { writeId: 'a/x' }) },
      { do: 'note', base: { ...base, mine: 'a/x' } },
    ],
    [
      'are noted with another write there, and its device',
      { base, there: log(shared, { writeId: 'a/x', device: 'Phone' }) },
      { do: 'note', base: { ...base, theirs: 'a/x', device: 'Phone' } },
    ],
  ])('%s', (_what, sides, expected) => {
    expect(plan({ here: log(shared), there: log(shared), ...sides })).toEqual(expected);
  });
});

describe('a log on one side', () => {
  const more = [...shared, says(3, 'two')];
  const call = at(3, untyped({ type: 'call.requested', callId: 'c', name: 'pay', inputText: '{}', input: {} }));
  const reply = at(2, untyped({ type: 'reply.started', messageId: 'm', runId: 'r' }));
  const run = at(1.5, untyped({ type: 'run.started', runId: 'r' }));
  const withCall = [started, { ...run, seq: 2 }, { ...reply, seq: 3 }, { ...call, seq: 4 }];

  test.each<Row>([
    [
      'alone is stored there',
      { here: log(shared) },
      { do: 'write-there', common: 0, events: shared, isRevival: false },
    ],
    [
      'that is missing there is stored again',
      { here: log(shared), base },
      { do: 'write-there', common: 0, events: shared, isRevival: false },
    ],
    [
      'that was removed there is removed here',
      { here: log(shared), there: removed, base },
      { do: 'remove', from: 'here' },
    ],
    ['that has a mark there, too', { here: log(shared), there: mark(1), base }, { do: 'remove', from: 'here' }],
    [
      'whose removal does not count stays',
      { here: log(shared), there: removed, base, removalDoubt: 'unsigned' },
      { do: 'refuse', why: 'unsigned-removal', detail: 'unsigned' },
    ],
    [
      'that has grown since is stored again',
      { here: log(more), there: removed, base },
      { do: 'write-there', common: 0, events: more, isRevival: true },
    ],
    [
      'that was not the same before is stored, removed or not',
      { here: log(more), there: removed },
      { do: 'write-there', common: 0, events: more, isRevival: false },
    ],
    [
      'that is new in part is read whole',
      { here: log([more[2]] as SessionEvent[]), base, from: 2 },
      { do: 'read-whole' },
    ],
    [
      'alone is fetched',
      { there: log(shared) },
      { do: 'write-here', common: 0, events: shared, isMerged: false, isRevival: false },
    ],
    [
      'that is missing here is fetched again',
      { there: log(shared), base },
      { do: 'write-here', common: 0, events: shared, isMerged: false, isRevival: false },
    ],
    [
      'that was removed here is removed there',
      { there: log(shared), here: removed, base },
      { do: 'remove', from: 'there' },
    ],
    [
      'that has grown since is fetched again',
      { there: log(more), here: removed, base },
      { do: 'write-here', common: 0, events: more, isMerged: false, isRevival: true },
    ],
    [
      'that was not the same before is fetched, removed or not',
      { there: log(more), here: removed },
      { do: 'write-here', common: 0, events: more, isMerged: false, isRevival: false },
    ],
    [
      'of which a part was read is read whole',
      { there: log([more[2]] as SessionEvent[]), base, from: 2 },
      { do: 'read-whole' },
    ],
  ])('%s', (_what, sides, expected) => {
    expect(plan(sides)).toEqual(expected);
  });

  const known: Base = { seq: 4, mine: 'a/x', theirs: 'a/x' };
  const asked = at(5, { type: 'approval.requested', callId: 'c' });
  const other = [
    at(5, untyped({ type: 'call.requested', callId: 'd', name: 'pay', inputText: '{}', input: {} })),
    at(6, { type: 'approval.decided', callId: 'd', verdict: 'approved', decidedBy: 'policy' }),
    at(7, { type: 'call.started', callId: 'd', attempt: 1 }),
  ];
  const replied = at(5, untyped({ type: 'reply.ended', finish: 'tool-calls' }));
  test.each<readonly [what: string, events: readonly SessionEvent[], seals: readonly string[]]>([
    ['within a run', withCall, ['run.ended']],
    ['whose reply has ended', [...withCall, replied], ['run.ended', 'session.imported']],
    ['beside one that has begun here', [...withCall, ...other], ['run.ended']],
  ])('that comes back with a call of both devices %s is sealed first', (_what, events, seals) => {
    const typesOf = (found: Plan) => ('events' in found ? found.events.map(({ type }) => type) : []);
    const here = plan({ base: known, here: log(events), there: removed });
    expect(here).toMatchObject({ do: 'write-here', common: events.length, isMerged: true });
    expect(typesOf(here)).toEqual(seals);
    const there = plan({ base: known, there: log(events), here: removed });
    expect(there).toMatchObject({ do: 'write-here', common: 0, isMerged: true, isRevival: true });
    expect(typesOf(there)).toEqual([...events.map(({ type }) => type), ...seals]);
  });

  test.each<readonly [what: string, events: readonly SessionEvent[], known: Base]>([
    ['came later', withCall, { ...known, seq: 3 }],
    ['has begun here', [...withCall, at(5, { type: 'call.started', callId: 'c', attempt: 1 })], known],
    ['was rejected', [...withCall, asked, { ...decided(5, 'user'), seq: 6 }], known],
  ])('that comes back with a call that %s is as it was', (_what, events, agreed) => {
    expect(plan({ base: agreed, here: log(events), there: removed })).toEqual({
      do: 'write-there',
      common: 0,
      events,
      isRevival: true,
    });
  });
});
