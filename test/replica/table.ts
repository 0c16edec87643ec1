// Every pair of what two sides can have, with everything that can be noted of them.

import { AgentError, extractTextContent, type SessionEvent, type SessionStore } from 'brooklet';
import { evolve, initialState, type SessionWrite } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { expect } from 'vitest';
import { toSummary } from '../../src/core/model/summary.ts';
import { type Base, createBases } from '../../src/sync/replica/base.ts';
import type { Place } from '../../src/sync/replica/classify.ts';
import { type RowFacts, stamp } from '../../src/sync/replica/origin.ts';
import { planOf } from '../../src/sync/replica/plan.ts';
import { readSides, type SyncEnv } from '../../src/sync/replica/sides.ts';
import { createSigners, type Signers } from './signers.ts';

export const id = 's';
const start = 1_700_000_000_000;
const now = start + 1_000_000;

const body = (seq: number, event: object): SessionEvent => ({ ...event, seq, at: start + seq, v: 2 }) as SessionEvent;
const started = (seq = 1, at = start): SessionEvent => ({
  ...body(seq, { type: 'session.started', sessionId: id }),
  at,
});
const says = (seq: number, text: string): SessionEvent =>
  body(seq, {
    type: 'message.added',
    message: { id: text, role: 'user', content: [{ type: 'text', text }], timestamp: start },
  });
const named = (seq: number, title: string): SessionEvent => body(seq, { type: 'session.renamed', title });
const run = (seq: number): SessionEvent => body(seq, { type: 'run.started', runId: 'r' });
const ended = (seq: number, outcome: string): SessionEvent => body(seq, { type: 'run.ended', runId: 'r', outcome });

const agreed = [started(), says(2, 'one'), says(3, 'two')];
const withRun = [...agreed, run(4)];

/** A log, the name of its last write, and the lineage of its side. */
interface Log {
  readonly events: readonly SessionEvent[];
  readonly write: string;
  readonly lineage?: string;
}

export const logs: Readonly<Record<string, Log>> = {
  same: { events: agreed, write: 'agreed' },
  'a name beside': { events: [...agreed, named(4, 'Otters')], write: 'named' },
  'another name beside': { events: [...agreed, named(4, 'Seals')], write: 'renamed' },
  'a message more': { events: [...agreed, says(4, 'three')], write: 'three' },
  'another message more': { events: [...agreed, says(4, 'four'), named(5, 'Four')], write: 'four' },
  'an open run': { events: withRun, write: 'run' },
  'a run that goes on': { events: [...withRun, says(5, 'five')], write: 'five' },
  'a run that was interrupted': { events: [...withRun, ended(5, 'interrupted')], write: 'interrupted' },
  'a run that has ended': { events: [...withRun, ended(5, 'completed')], write: 'ended' },
  'a part of it': { events: agreed.slice(0, 2), write: 'part', lineage: 'other' },
  'another log': { events: [started(1, start + 1), says(2, 'six')], write: 'six', lineage: 'other' },
};

/** What a side has: the name of a log, or `missing`, `removed`, `row`, `mark` or `old mark`. */
type State = string;

const here: readonly State[] = ['missing', 'removed', 'row', 'mark', ...Object.keys(logs)];
const there: readonly State[] = ['missing', 'removed', 'mark', 'old mark', ...Object.keys(logs)];

/** What is noted of both sides: nothing, that they were the same, and a fork that was begun. */
const bases = [
  'none',
  'same',
  'same, of other logs',
  'fork begun',
  'fork stored',
  'fork continued',
  'fork done',
] as const;
type BaseName = (typeof bases)[number];

/** How rows state their origin: in fields and in the id (this version), in the id alone (before), and in fields alone. */
export const forms = ['both', 'id', 'fields'] as const;
type Form = (typeof forms)[number];

const guards = ['none', 'signed', 'unsigned'] as const;
type Guard = (typeof guards)[number];

export interface Case {
  readonly here: State;
  readonly there: State;
  readonly base: BaseName;
  readonly form?: Form;
  readonly guard?: Guard;
}

export interface World {
  readonly env: SyncEnv;
  readonly local: SessionStore;
  readonly remote: SessionStore;
  readonly revived: string[];
  /** Number of changes so far; the store fails from `failsFrom` on. */
  changes: number;
  failsFrom: number;
}

const lineageOf = (place: Place, log: Log | undefined): string => `${place} ${log?.lineage ?? 'log'}`;

/** Returns the id of a write as a form has it, and its row. */
function stamped(form: Form, lineage: string, name: string, facts: RowFacts): ReturnType<typeof stamp> {
  const both = stamp(lineage, name, facts);
  if (form === 'both') return both;
  if (form === 'id') return { writeId: both.writeId };
  const writeId = `${lineage}/${name}`;
  return { writeId, ...(both.origin && { origin: { ...both.origin, writeId } }) };
}

/** What the last write of a log states: here, what both sides agree on is of another device, and what follows of this one. */
const factsOf = (place: Place, name: string): RowFacts =>
  place === 'there' || name === 'agreed' ? { device: 'Bob' } : {};

/** Returns the id of the last write of a log on a side. */
export function idOf(form: Form, place: Place, log: Log): ReturnType<typeof stamp> {
  return stamped(form, lineageOf(place, log), log.write, factsOf(place, log.write));
}

async function put(
  store: SessionStore,
  sessionId: string,
  events: readonly SessionEvent[],
  { writeId, origin }: ReturnType<typeof stamp>,
  at?: number,
): Promise<void> {
  const state = events.reduce(evolve, initialState(sessionId));
  const last = events.at(-1)?.seq ?? 0;
  const row = { ...toSummary(state), id: sessionId, seq: last, ...(at !== undefined && { updatedAt: at }) };
  const write: SessionWrite = {
    sessionId,
    events,
    summary: { ...row, ...(origin && { origin }) },
    expectedSeq: 0,
    writeId,
    durability: 'strict',
  };
  await store.write(write);
}

async function putState(store: SessionStore, place: Place, state: State, form: Form): Promise<void> {
  const log = logs[state];
  if (log !== undefined) return put(store, id, log.events, idOf(form, place, log));
  if (state === 'missing') return;
  if (state === 'removed') {
    await put(store, id, agreed, { writeId: 'gone/1' });
    await store.remove(id);
    return;
  }
  const isMark = state !== 'row';
  const facts: RowFacts = isMark ? { ...(place === 'there' && { device: 'Bob' }), kind: 'mark' } : { kind: 'row' };
  const at = state === 'old mark' ? start : now;
  await put(store, id, [started(isMark ? 4 : 1, at)], stamped(form, 'mark', 'unique', facts), at);
}

export const agreedLog = logs.same ?? expect.unreachable();

async function noteBase(env: SyncEnv, name: BaseName, form: Form): Promise<void> {
  if (name === 'none') return;
  const isOther = name === 'same, of other logs';
  const mine = isOther ? 'gone/1' : idOf(form, 'here', agreedLog).writeId;
  const theirs = isOther ? 'gone/2' : idOf(form, 'there', agreedLog).writeId;
  const device = form === 'id' ? {} : { device: 'Bob' };
  const base: Base = { seq: 3, mine, theirs, ...device };
  if (name === 'same' || isOther) return env.bases.set(id, base);
  // The events that are kept: those that this device may still have, or, of a fork that is done, none that it has.
  const kept =
    name === 'fork done' ? says(4, 'kept before') : (logs['a message more']?.events.at(-1) ?? expect.unreachable());
  await env.bases.set(id, { ...base, forking: { id: 'fork', first: JSON.stringify(kept) } });
  if (name === 'fork begun') return;
  const events = [...agreed, kept, ...(name === 'fork continued' ? [says(5, 'on the fork')] : [])];
  const log = events.map((event) => (event.type === 'session.started' ? { ...event, sessionId: 'fork' } : event));
  const end =
    name === 'fork continued'
      ? { writeId: 'fork/own' }
      : stamped(form, 'fork', 'kept-three', { kind: 'kept', of: 'three' });
  await put(env.local, 'fork', log, end);
}

const statements = createMemoryStore().meta;
let signersOfAll: Promise<Signers> | undefined;
/** The devices of all worlds, which are played one after the other. */
const openSigners = (): Promise<Signers> =>
  (signersOfAll ??= createSigners({ known: ['Ann', 'Bob'], meta: statements }));

export async function createWorld({ here, there, base, form = 'both', guard = 'none' }: Case): Promise<World> {
  const [local, remote] = [createMemoryStore(), createMemoryStore()];
  const signers = guard === 'none' ? undefined : await openSigners();
  await statements.update(`brooklet removal ${id}`, () => undefined);
  const revived: string[] = [];
  let ids = 0;
  const world = { local, remote, revived, changes: 0, failsFrom: Infinity };
  /** Counts a change, which fails where the device loses its stores. */
  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    if (world.changes++ >= world.failsFrom) throw new AgentError('The page has ended.', { code: 'STORAGE_FAILED' });
    return work();
  };
  const watched = (store: SessionStore): SessionStore => ({
    ...store,
    write: (write) => change(() => store.write(write)),
    remove: (sessionId) => change(() => store.remove(sessionId)),
  });
  const noted = createBases(local.meta, 'engine');
  const env: SyncEnv = {
    local: watched(local),
    remote: watched(remote),
    bases: { get: noted.get, set: (sessionId, value) => change(() => noted.set(sessionId, value)) },
    device: 'Ann',
    devices: signers?.guardOf('Ann', true),
    ports: { now: () => now, id: () => `id${++ids}` },
    toForkTitle: undefined,
    onFork: () => {},
    onTrouble: ({ type }) => void revived.push(type),
    isBeingRemoved: () => false,
    noting: (_id, work) => work(),
  };
  await putState(local, 'here', here, form);
  await putState(remote, 'there', there, form);
  await noteBase({ ...env, local, bases: noted }, base, form);
  if (guard === 'signed') {
    const end = { seq: 3, writeId: idOf(form, 'there', agreedLog).writeId };
    await signers?.guardOf('Bob', true).removals?.note(id, end);
  }
  return Object.assign(world, { env });
}

/** Everything that is stored, but what only counts for one side. */
export async function contentOf({ local, remote, env }: World): Promise<string> {
  const sides = await Promise.all(
    [local, remote].map((store) => Promise.all([id, 'fork'].map((one) => store.read(one)))),
  );
  const gone = await Promise.all([local, remote].map(async (store) => store.wasRemoved?.(id)));
  return JSON.stringify([sides, gone, await env.bases.get(id)]);
}

async function textsOf(store: SessionStore): Promise<ReadonlySet<string>> {
  const { sessions } = await store.list();
  const all = await Promise.all(sessions.map((row) => store.read(row.id)));
  const states = all.map((one) => (one?.events ?? []).reduce(evolve, initialState(one?.summary.id ?? '')));
  return new Set(states.flatMap(({ messages }) => messages.map((message) => extractTextContent(message))));
}

/** What a person sees of a session. */
async function shownIn(store: SessionStore): Promise<string | undefined> {
  const stored = await store.read(id);
  if (stored === undefined) return undefined;
  const { messages, title, run: open } = stored.events.reduce(evolve, initialState(id));
  return JSON.stringify([messages, title, open], (key, value: unknown) => (key === 'origin' ? undefined : value));
}

export const isGone = (state: State): boolean => state === 'removed' || state === 'mark' || state === 'old mark';
const sayings = (state: State): readonly string[] =>
  (logs[state]?.events ?? []).flatMap((event) =>
    event.type === 'message.added' ? [extractTextContent(event.message)] : [],
  );

/** Whether one side was removed, and nothing has happened on the other one since. */
export function isRemoval({ here, there, base }: Case): boolean {
  const isNoted = base !== 'none' && base !== 'same, of other logs';
  return isNoted && ((isGone(here) && there === 'same') || (isGone(there) && here === 'same'));
}

/** Returns the side whose log no device has touched, where the past of the other one was replaced by another log: it follows that one. */
function followerOf({ here, there, base }: Case): Place | undefined {
  // Once a fork has the log, it is found there.
  if (base !== 'same' && base !== 'fork begun') return undefined;
  if (here === 'same' && there === 'another log') return 'here';
  return there === 'same' && here === 'another log' ? 'there' : undefined;
}

/** Returns what is wrong after both sides were brought in step. */
export async function problemsOf(one: Case, world: World): Promise<readonly string[]> {
  const problems: string[] = [];
  const { local, remote, env, revived } = world;
  const [mine, theirs] = [await shownIn(local), await shownIn(remote)];
  const isKept = one.there === 'mark' && theirs !== undefined && logs[one.here] === undefined;
  if (isRemoval(one)) {
    if (mine !== undefined) problems.push('a session that was removed is here');
    if (theirs !== undefined && planOf(await readSides(id, env, false, true)).do !== 'rest')
      problems.push('a session that was removed is on the remote store');
  } else if (mine !== theirs && !(isKept && mine === undefined)) problems.push('the two sides differ');
  const stored = await textsOf(local);
  if (!isRemoval(one))
    for (const text of [
      ...(followerOf(one) === 'here' ? [] : sayings(one.here)),
      ...(followerOf(one) === 'there' ? [] : sayings(one.there)),
    ])
      if (!stored.has(text)) problems.push(`"${text}" is lost`);
  const wasRemoved = isGone(one.here) || isGone(one.there);
  const isBack = mine !== undefined && logs[wasRemoved && isGone(one.here) ? one.there : one.here] !== undefined;
  if (wasRemoved && isBack && one.base !== 'none' && !revived.includes('revived'))
    problems.push('a removed session is stored again, and no person is informed');
  for (const isTrusted of [false, true]) {
    const plan = planOf(await readSides(id, env, isTrusted, false));
    if (plan.do !== 'rest')
      problems.push(`${plan.do} is left to do${isTrusted ? ' where the remote store is trusted' : ''}`);
  }
  return problems;
}

export const all: readonly Case[] = here.flatMap((mine) =>
  there.flatMap((theirs) => bases.map((base) => ({ here: mine, there: theirs, base }))),
);
const nameOf = (one: Case): string => `here ${one.here}, there ${one.there}, base ${one.base}`;

/** Returns the problems of all cases, each with its name. */
export async function walk(
  cases: readonly Case[],
  play: (one: Case) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const one of cases) for (const problem of await play(one)) found.push(`${nameOf(one)}: ${problem}`);
  return found;
}
