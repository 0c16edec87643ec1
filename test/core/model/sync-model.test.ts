import { AgentError, type SessionEvent } from 'brooklet';
import type { EventBody } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { defined } from '../../../src/core/json.ts';
import { collect, sync } from '../../../src/core/model/sync.ts';
import {
  type Action,
  type Batch,
  initialSync,
  type Signal,
  type SyncFacts,
  type SyncState,
  type Transition,
} from '../../../src/core/model/sync-state.ts';
import { isInNextWrite, isUrgentEvent } from '../../../src/core/model/sync-writes.ts';

// Two tabs on one session, a store with compare-and-set, Web Locks and a channel, as plain data. All that the browser may do next
// is tried in every order, breadth first, and the laws are checked in each state that is reached.

interface Tab {
  readonly sync: SyncState;
  readonly log: readonly SessionEvent[];
  /** Appended since the last signal. */
  readonly collected: readonly SessionEvent[];
  readonly drives: string | undefined;
  readonly writes: readonly (Write & { readonly result?: 'taken' | 'refused' })[];
  /** A read: not begun (no `found`), or on its way back. */
  readonly read: { readonly after: number; readonly found?: Found } | undefined;
  readonly isTurnOpen: boolean;
  readonly isTimed: boolean;
  /** Changes that the channel has not delivered. */
  readonly heard: number;
  readonly isAlive: boolean;
  readonly hasRenamed: boolean;
  /** Deeds that this tab has not done yet. */
  readonly deeds: readonly Deed[];
}

/** What a read returns. */
interface Found {
  readonly events: readonly SessionEvent[];
  readonly writeId: string | undefined;
}

type Write = Extract<Action, { readonly do: 'write' }>;
type Deed = 'run' | 'call' | 'end' | 'rename' | 'hide' | 'kill';

interface World {
  readonly tabs: readonly [Tab, Tab];
  readonly store: readonly SessionEvent[];
  /** `writeId` of the last write. */
  readonly tip?: string | undefined;
  /** The lock queue, the holder first; `true` where the holder knows. */
  readonly locks: readonly (readonly [tab: number, isGranted: boolean])[];
  /** Tabs that have run the call. */
  readonly ran: readonly number[];
  readonly killed: readonly string[];
}

type Decide = (state: SyncState, signal: Signal, facts: SyncFacts) => Transition;

const seqOf = (events: readonly SessionEvent[]): number => events.at(-1)?.seq ?? 0;

function openRunOf(log: readonly SessionEvent[]): string | undefined {
  const last = log.findLast(({ type }) => type === 'run.started' || type === 'run.ended');
  return last?.type === 'run.started' ? last.runId : undefined;
}

/** One step of the model: a world in which one tab changes. */
class Stage {
  world: World;
  readonly decide: Decide;

  constructor(world: World, decide: Decide) {
    this.world = world;
    this.decide = decide;
  }

  tab(index: number): Tab {
    return index === 0 ? this.world.tabs[0] : this.world.tabs[1];
  }

  set(index: number, change: Partial<Tab>): void {
    const [a, b] = this.world.tabs;
    this.world = { ...this.world, tabs: index === 0 ? [{ ...a, ...change }, b] : [a, { ...b, ...change }] };
  }

  dispatch(index: number, signal: Signal): void {
    const { sync: state, collected, log, drives } = this.tab(index);
    const facts = { isRunning: openRunOf(log) !== undefined, isDriving: drives !== undefined };
    const before = signal.type === 'appended' ? state : collect(state, [...collected]);
    const [after, actions] = this.decide(before, signal, facts);
    this.set(index, { sync: after, ...(before !== state && { collected: [] }) });
    for (const action of actions) this.perform(index, action);
  }

  perform(index: number, action: Action): void {
    const { log, writes, drives } = this.tab(index);
    const { locks } = this.world;
    switch (action.do) {
      case 'write':
        return this.set(index, { writes: [...writes, action] });
      case 'read':
        return this.set(index, { read: { after: action.after ?? 0 } });
      case 'wait':
      case 'stop-timer':
        return this.set(index, { isTimed: action.do === 'wait' });
      case 'end-turn':
        return this.set(index, { isTurnOpen: true });
      case 'acquire':
        this.world = { ...this.world, locks: [...locks, [index, false]] };
        return;
      case 'release':
        this.world = { ...this.world, locks: locks.filter(([tab]) => tab !== index) };
        return;
      case 'accept':
        this.set(index, { log: [...log, ...action.events] });
        return this.dispatch(index, { type: 'status' });
      case 'reset':
        this.set(index, { log: action.events });
        return this.dispatch(index, { type: 'status' });
      case 'yield':
        return this.set(index, { drives: undefined });
      case 'reappend':
        for (const event of action.events) if (event.type === 'session.renamed') this.append(index, event);
        return;
      case 'recover': {
        const runId = openRunOf(log);
        if (drives === undefined && runId !== undefined)
          this.append(index, { type: 'run.ended', runId, outcome: 'interrupted' });
        return this.dispatch(index, { type: 'status' });
      }
      case 'advance':
        return;
      case 'steal':
      case 'restore':
      case 'abort':
      case 'close':
        throw new Error(`${action.do} is no part of this model.`);
    }
  }

  append(index: number, body: EventBody): void {
    const { log, collected, sync: state } = this.tab(index);
    const event: SessionEvent = { ...body, seq: seqOf(log) + 1, at: 0, v: 2 };
    this.set(index, { log: [...log, event], collected: [...collected, event] });
    if (!isInNextWrite(state, isUrgentEvent(event)))
      this.dispatch(index, { type: 'appended', isUrgent: isUrgentEvent(event) });
  }
}

/** Everything that may happen next. */
function* stepsFrom(world: World, decide: Decide): Generator<readonly [name: string, isEffect: boolean, next: World]> {
  const on = (work: (stage: Stage) => void): World => {
    const stage = new Stage(world, decide);
    work(stage);
    return stage.world;
  };
  for (const [index, tab] of world.tabs.entries()) {
    const name = (what: string): string => `${index}: ${what}`;
    for (const [nth, write] of tab.writes.entries()) {
      // Transactions are in order, and so are their answers.
      const isFirst = tab.writes.findIndex(({ result }) => result === write.result) === nth;
      if (!isFirst || (nth > 0 && write.result !== undefined)) continue;
      if (write.result === undefined) yield [name('commit'), true, on((stage) => commit(stage, index, nth, write))];
      else if (tab.isAlive) yield [name(write.result), true, on((stage) => answer(stage, index, nth, write))];
    }
    if (!tab.isAlive) continue;
    const { read, deeds } = tab;
    const [head] = world.locks;
    if (read && read.found === undefined) {
      const found = { events: world.store.filter(({ seq }) => seq > read.after), writeId: world.tip };
      yield [name('look up'), true, on((stage) => stage.set(index, { read: { ...read, found } }))];
    } else if (read?.found) {
      const { found, after } = read;
      yield [name('read'), true, on((stage) => deliver(stage, index, found, after))];
    }
    if (tab.isTurnOpen)
      yield [
        name('turn'),
        true,
        on((stage) => {
          stage.set(index, { isTurnOpen: false });
          stage.dispatch(index, { type: 'turn' });
        }),
      ];
    if (tab.isTimed)
      yield [
        name('timer'),
        true,
        on((stage) => {
          stage.set(index, { isTimed: false });
          stage.dispatch(index, { type: 'timer' });
        }),
      ];
    if (tab.heard > 0)
      yield [
        name('changed'),
        true,
        on((stage) => {
          stage.set(index, { heard: tab.heard - 1 });
          stage.dispatch(index, { type: 'changed' });
        }),
      ];
    if (head && head[0] === index && !head[1])
      yield [
        name('acquired'),
        true,
        on((stage) => {
          stage.world = { ...world, locks: [[index, true], ...world.locks.slice(1)] };
          stage.dispatch(index, { type: 'acquired' });
          stage.dispatch(index, { type: 'status' });
        }),
      ];
    for (const deed of deeds) {
      const after = on((stage) => {
        if (perform(stage, index, deed)) stage.set(index, { deeds: deeds.filter((other) => other !== deed) });
        else stage.world = world;
      });
      if (after !== world) yield [name(deed), false, after];
    }
  }
}

function commit(stage: Stage, index: number, nth: number, write: Write): void {
  const { store, tip } = stage.world;
  const { expected, writeId } = write.batch;
  const isTaken = seqOf(store) === expected.seq && (expected.writeId === undefined || tip === expected.writeId);
  if (isTaken) {
    const { events, replaces = [] } = write.content;
    const kept = store.filter(({ seq }) => !replaces.some(([from, to]) => from <= seq && seq <= to));
    stage.world = { ...stage.world, store: [...kept, ...events].toSorted((a, b) => a.seq - b.seq), tip: writeId };
    for (const each of [0, 1]) if (stage.tab(each).isAlive) stage.set(each, { heard: stage.tab(each).heard + 1 });
  }
  const { writes, isAlive } = stage.tab(index);
  const result = isTaken ? 'taken' : 'refused';
  stage.set(index, {
    writes: isAlive
      ? writes.map((one, place) => (place === nth ? { ...one, result } : one))
      : writes.filter((_one, place) => place !== nth),
  });
}

const conflict = new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' });

function answer(stage: Stage, index: number, nth: number, { batch, result }: Tab['writes'][number]): void {
  stage.set(index, { writes: stage.tab(index).writes.filter((_one, place) => place !== nth) });
  stage.dispatch(index, result === 'taken' ? { type: 'saved', batch } : { type: 'refused', batch, error: conflict });
  // The call runs when it is stored that it begins, in the tab that drives the run and holds its lease.
  const claims = ({ events }: Batch): boolean => events.some(({ type }) => type === 'call.started');
  if (result === 'taken' && claims(batch) && stage.tab(index).drives !== undefined)
    stage.world = { ...stage.world, ran: [...stage.world.ran, index] };
}

function deliver(stage: Stage, index: number, { events, writeId }: Found, after: number): void {
  const seq = events.length > 0 ? seqOf(events) : after;
  const summary = {
    id: 's',
    title: '',
    createdAt: 0,
    updatedAt: 0,
    status: 'idle' as const,
    messageCount: 0,
    usage: { input: 0, output: 0 },
    seq,
  };
  stage.set(index, { read: undefined });
  stage.dispatch(index, { type: 'read', found: { summary, events, ...defined({ writeId }) } });
  stage.dispatch(index, { type: 'status' });
}

/** Gives whether the deed is possible now. */
function perform(stage: Stage, index: number, deed: Deed): boolean {
  const { log, drives, sync: state } = stage.tab(index);
  const runId = `r${index}`;
  const open = openRunOf(log);
  switch (deed) {
    case 'run':
      if (open !== undefined || state.phase === 'stale') return false;
      stage.set(index, { drives: runId });
      stage.dispatch(index, { type: 'own' });
      stage.append(index, { type: 'run.started', runId });
      break;
    case 'call':
      // A call that waits in the log: whichever tab decides it drives the run.
      if (state.phase === 'stale' || log.some(({ type }) => type === 'call.started')) return false;
      if (open === undefined || open !== drives || state.lease !== 'held') return false;
      stage.append(index, { type: 'call.started', callId: 'c', attempt: 1 });
      break;
    case 'end':
      if (drives === undefined || open !== drives) return false;
      stage.append(index, { type: 'run.ended', runId: drives, outcome: 'completed' });
      break;
    case 'rename':
      stage.set(index, { hasRenamed: true });
      stage.append(index, { type: 'session.renamed', title: `by ${index}` });
      break;
    case 'hide':
      stage.dispatch(index, { type: 'hidden' });
      break;
    case 'kill':
      if (!stage.tab(1 - index).isAlive) return false;
      stage.set(index, { isAlive: false });
      stage.world = {
        ...stage.world,
        locks: stage.world.locks.filter(([tab]) => tab !== index),
        killed: [...stage.world.killed, runId],
      };
      return true;
  }
  stage.dispatch(index, { type: 'status' });
  return true;
}

const same = (a: SessionEvent, b: SessionEvent | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The laws that a state breaks. */
function problemsOf({ tabs, store, locks, ran, killed }: World, isQuiet: boolean): readonly string[] {
  const problems: string[] = [];
  if (store.some(({ seq }, index) => seq !== index + 1)) problems.push('the store has no single order');
  if (ran.length > 1) problems.push('the call ran twice');
  if (locks.filter(([, isGranted]) => isGranted).length > 1) problems.push('two tabs hold the lock');
  for (const event of store)
    if (event.type === 'run.ended' && event.outcome === 'interrupted' && !killed.includes(event.runId))
      problems.push('a run was interrupted although its tab lives');
  const runs = store.filter(({ type }) => type === 'run.started' || type === 'run.ended');
  if (runs.some(({ type }, index) => (type === 'run.started') !== (index % 2 === 0)))
    problems.push('a run began in the middle of another');
  for (const [index, tab] of tabs.entries()) {
    if (!tab.isAlive) continue;
    const { stored, lease } = tab.sync;
    const isHolder = locks.some(([holder, isGranted]) => holder === index && isGranted);
    if (lease === 'held' && !isHolder) problems.push('a tab takes a lock for its own that it does not hold');
    if (tab.log.some((event) => event.seq <= stored && !same(event, store[event.seq - 1])))
      problems.push('a tab takes an event for stored that is not in the store');
    if (!isQuiet) continue;
    if (tab.sync.phase !== 'saved') problems.push(`a tab rests in phase ${tab.sync.phase}`);
    if (tab.log.length !== store.length || !tab.log.every((event, place) => same(event, store[place])))
      problems.push('a tab rests with another log than the store');
    if (tab.hasRenamed && !store.some((event) => event.type === 'session.renamed' && event.title === `by ${index}`))
      problems.push('what a person did is gone');
    const open = openRunOf(tab.log);
    if (open !== undefined && killed.includes(open)) problems.push('a run is open that no tab runs');
  }
  return problems;
}

const born = (deeds: readonly Deed[], index: number): Tab => ({
  sync: { ...initialSync({ phase: 'saved', stored: 0, writer: `${index}`, canLock: true }), isFollowing: true },
  log: [],
  collected: [],
  drives: undefined,
  writes: [],
  read: undefined,
  isTurnOpen: false,
  isTimed: false,
  heard: 0,
  isAlive: true,
  hasRenamed: false,
  deeds,
});

interface Explored {
  readonly states: number;
  readonly quiet: number;
  /** What was broken first, and the way there. */
  readonly problem?: string;
}

/** What does not change what a tab does next, but would make states of one that is the same. */
function keyOf(world: World): string {
  return JSON.stringify(world, (key, value: unknown) => (key === 'generation' || key === 'at' ? undefined : value));
}

/** Tries every order of steps up to `depth`. */
function explore(decide: Decide, deeds: readonly [readonly Deed[], readonly Deed[]], depth: number): Explored {
  const start: World = { tabs: [born(deeds[0], 0), born(deeds[1], 1)], store: [], locks: [], ran: [], killed: [] };
  const seen = new Set([keyOf(start)]);
  let quiet = 0;
  let level: (readonly [World, string])[] = [[start, '']];
  for (let nth = 0; nth < depth && level.length > 0; nth++) {
    const following: (readonly [World, string])[] = [];
    for (const [world, way] of level) {
      const steps = [...stepsFrom(world, decide)];
      const isQuiet = steps.every(([, isEffect]) => !isEffect);
      if (isQuiet) quiet++;
      const [problem] = problemsOf(world, isQuiet);
      if (problem !== undefined) return { states: seen.size, quiet, problem: `${problem}, after${way}` };
      for (const [name, , next] of steps) {
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        following.push([next, `${way} ${name};`]);
      }
    }
    level = following;
  }
  return { states: seen.size, quiet };
}

type Deeds = readonly [readonly Deed[], readonly Deed[]];

/** At most so many steps of the two longest cases: each step more doubles what they take. */
const steps = Number(process.env.STEPS ?? 18);

/** Every order to its end where `depth` is Infinity. */
const cases: readonly (readonly [name: string, deeds: Deeds, depth: number])[] = [
  ['both rename', [['rename'], ['rename']], Infinity],
  ['one runs and is killed', [['run', 'kill'], []], Infinity],
  ['one runs and ends, the other renames', [['run', 'end'], ['rename']], Math.min(17, steps)],
  ['both start a run', [['run'], ['run']], Infinity],
  ['one runs, renames and is hidden, the other renames', [['run', 'rename', 'hide'], ['rename']], 12],
  [
    'both start a run with a call',
    [
      ['run', 'call'],
      ['run', 'call'],
    ],
    14,
  ],
  ['one runs a call and is killed, the other renames', [['run', 'call', 'kill'], ['rename']], steps],
];

describe('two tabs in every order', { timeout: 240_000 }, () => {
  test.each(cases)('keep the laws: %s', (name, deeds, depth) => {
    const { states, quiet, problem } = explore(sync, deeds, depth);
    if (process.env['SYNC_STATES']) process.stdout.write(`${name}: ${states} states, ${quiet} of them at rest\n`);
    expect(problem).toBeUndefined();
    expect(quiet).toBeGreaterThan(0);
    expect(states).toBeGreaterThan(100);
  });
});

/** Where the writer names no write, a store compares the numbers alone. */
function withoutExpectedId(action: Action): Action {
  if (action.do !== 'write') return action;
  const { batch } = action;
  return { ...action, batch: { ...batch, expected: { seq: batch.expected.seq } } };
}

/** `sync` with a mistake: what it gives, changed. */
const bugs: readonly (readonly [name: string, bug: Decide, deeds: Deeds, law: RegExp])[] = [
  [
    'a watching tab does not wait for the lock',
    (state, signal, facts) => {
      const [next, actions] = sync(state, signal, facts);
      if (next.watch === undefined || next.lease !== 'waiting' || state.lease !== 'none') return [next, actions];
      return [
        { ...next, lease: 'none', watch: { ...next.watch, isLooking: true } },
        actions.filter((action) => action.do !== 'acquire'),
      ];
    },
    [['run', 'end'], ['rename']],
    /although its tab lives/,
  ],
  [
    'a refused write counts as stored',
    (state, signal, facts) =>
      sync(state, signal.type === 'refused' ? { type: 'saved', batch: signal.batch } : signal, facts),
    [['rename'], ['rename']],
    /for stored that is not in the store/,
  ],
  [
    'what a person did is not done again when another tab was first',
    (state, signal, facts) => {
      const [next, actions] = sync(state, signal, facts);
      return [next, actions.filter((action) => action.do !== 'reappend')];
    },
    [['run'], ['rename']],
    /what a person did is gone/,
  ],
  [
    'the lease is released before the end of the run is stored',
    (state, signal, facts) => {
      const [next, actions] = sync(state, signal, facts);
      if (signal.type !== 'status' || facts.isRunning || next.lease !== 'held') return [next, actions];
      return [{ ...next, lease: 'none', isResting: false }, [{ do: 'release' }, ...actions]];
    },
    [['run', 'end'], []],
    /although its tab lives/,
  ],
  [
    'a write builds on a number alone',
    (state, signal, facts) => {
      const [next, actions] = sync(state, signal, facts);
      return [next, actions.map(withoutExpectedId)];
    },
    [['run', 'rename', 'hide'], ['rename']],
    /for stored that is not in the store/,
  ],
  [
    'unsaved events keep their numbers when another tab has written',
    (state, signal, facts) => {
      const [next, actions] = sync(state, signal, facts);
      if (signal.type !== 'read' || next.unsaved.length === 0) return [next, actions];
      return [{ ...next, unsaved: state.unsaved }, actions];
    },
    [['rename'], ['rename']],
    /single order|not in the store|another log/,
  ],
];

describe('a mistake in sync', { timeout: 240_000 }, () => {
  test.each(bugs)('breaks a law: %s', (_name, bug, deeds, law) => {
    expect(explore(bug, deeds, 14).problem).toMatch(law);
  });
});
