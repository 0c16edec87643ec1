import { AgentError } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { createRemote, createSyncedStore } from 'brooklet/sync';
import { describe, expect, test, vi } from 'vitest';
import type { SessionEvent } from '../../src/core/model/event.ts';
import type { SessionStore, SessionWrite, StoredSession } from '../../src/core/model/store.ts';
import { lineageOf } from '../../src/core/model/write-id.ts';
import { type Base, createBases, isTip } from '../../src/sync/replica/base.ts';
import { createClaim } from '../../src/sync/replica/claim.ts';
import { callsOf, mayClaim } from '../../src/sync/replica/claims.ts';
import { commonSeq } from '../../src/sync/replica/compare.ts';
import { keepAsFork } from '../../src/sync/replica/forks.ts';
import { createReplicaLocks } from '../../src/sync/replica/locks.ts';
import { createLoop } from '../../src/sync/replica/loop.ts';
import { stamp } from '../../src/sync/replica/origin.ts';
import { replacedBy } from '../../src/sync/replica/replaced-by.ts';
import { toSessionSync } from '../../src/sync/replica/session-sync.ts';
import { readSides, type Sides, type SyncEnv } from '../../src/sync/replica/sides.ts';
import { createSignedWrites } from '../../src/sync/replica/signed-writes.ts';
import { type ClaimEnv, isClaim, storeClaim } from '../../src/sync/replica/store-claim.ts';
import { syncSession } from '../../src/sync/replica/sync-session.ts';
import { toWriteHere, writeThere } from '../../src/sync/replica/write-sides.ts';
import { untyped } from '../support/untyped.ts';
import { at, decided, delta, log, named, says, shared, started } from './logs.ts';

// What a step of a synchronization is decided by, each part on its own: tables of a pure function, or one store that counts.

const missing = { is: 'missing' } as const;
const conflict = () => new AgentError('Another page was first.', { code: 'STORAGE_CONFLICT' });
const broken = () => new AgentError('The store is full.', { code: 'STORAGE_FAILED' });
const call = (seq: number, name = 'pay', callId = 'c'): SessionEvent =>
  at(seq, untyped({ type: 'call.requested', callId, name, inputText: '{}', input: {} }));
const begun = (seq: number, callId = 'c'): SessionEvent => at(seq, { type: 'call.started', callId, attempt: 1 });

/** All stores are in memory: what follows from a call has happened after a turn. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Stores what is new of a session, upon what a store has. */
async function put(
  store: SessionStore,
  events: readonly SessionEvent[],
  writeId: string,
  status: 'idle' | 'running' = 'idle',
): Promise<void> {
  const last = events.at(-1)?.seq ?? 0;
  const row = { id: 's', title: '', createdAt: 1, updatedAt: last, messageCount: 1, usage: { input: 0, output: 0 } };
  const known = await store.read('s', { after: Infinity });
  await store.write({
    sessionId: 's',
    events: events.filter(({ seq }) => seq > (known?.summary.seq ?? 0)),
    summary: { ...row, status, seq: last },
    expectedSeq: known?.summary.seq ?? 0,
    ...(known?.writeId !== undefined && { expectedWriteId: known.writeId }),
    writeId,
    durability: 'strict',
  });
}

describe('what two logs have in common', () => {
  const both = (text: object, seq: number, since?: number): SessionEvent => ({ ...delta(seq, '', since), ...text });
  const piece = (type: string, seq: number, more: object = {}): SessionEvent =>
    untyped({ type, text: 'ab', seq, at: seq, v: 2, ...more });

  test.each<readonly [what: string, mine: readonly SessionEvent[], theirs: readonly SessionEvent[], common: number]>([
    ['the same text', [delta(3, 'ab')], [delta(3, 'ab')], 3],
    ['a longer text there', [delta(3, 'ab')], [delta(4, 'abc', 3)], 3],
    ['a longer text here', [delta(4, 'abc', 3)], [delta(3, 'ab')], 3],
    ['a text that ends with the other', [delta(3, 'bc')], [delta(4, 'abc', 3)], 2],
    ['texts that part', [delta(4, 'abc', 3)], [delta(4, 'abd', 3)], 2],
    ['a longer text, and the same after it', [delta(3, 'ab'), says(5, 'x')], [delta(4, 'abc', 3), says(5, 'x')], 3],
    ['an answer and a thought', [piece('text.delta', 3)], [piece('reasoning.delta', 3)], 2],
    ['a text and a message', [delta(3, 'ab')], [says(3, 'ab')], 2],
    ['inputs of one call', [piece('call.delta', 3, { callId: 'c' })], [piece('call.delta', 3, { callId: 'c' })], 3],
    ['inputs of two calls', [piece('call.delta', 3, { callId: 'c' })], [piece('call.delta', 3, { callId: 'd' })], 2],
    [
      'pieces of a text, some of which are joined with their cadence',
      [both({ text: 'ab', cadence: [1, 2] }, 4, 3), delta(5, 'c')],
      [delta(5, 'abc', 3)],
      5,
    ],
    ['a cadence at the end', [both({ text: 'ab', cadence: [1, 2] }, 4, 3)], [delta(4, 'ab', 3)], 4],
  ])('is known of %s', (_what, mine, theirs, common) => {
    expect(commonSeq(mine, theirs, 2)).toBe(common);
  });

  test.each<readonly [events: readonly SessionEvent[], ranges: readonly (readonly number[])[]]>([
    [[], []],
    [[delta(5, 'abc', 3)], [[3, 4]]],
    [[delta(5, 'bc', 4)], [[4, 4]]],
    [[delta(5, 'c')], []],
    [[says(5, 'x'), delta(6, 'abc', 3)], []],
  ])('of %j is replaced where a text has grown', (events, ranges) => {
    expect(replacedBy(events, 4)).toEqual(ranges);
  });

  test('ends where both sides were the same, by number and by write', () => {
    const of = (seq: number, writeId?: string): StoredSession => untyped({ summary: { seq }, writeId });
    const base: Base = { seq: 3, mine: 'a/1', theirs: 'b/1' };
    expect(isTip(of(3, 'a/1'), base, 'mine')).toBe(true);
    expect([isTip(of(4, 'a/1'), base, 'mine'), isTip(of(3, 'b/1'), base, 'mine')]).toEqual([false, false]);
    // Stores without ids of writes.
    expect([isTip(of(3), { seq: 3 }, 'theirs'), isTip(of(4), { seq: 3 }, 'theirs')]).toEqual([true, false]);
  });

  test.each([7, null, 'x', [], {}, { seq: '3' }])('is not known by %j in the place of a note', async (value) => {
    const { meta } = createMemoryStore();
    await meta.update('replica::s', () => untyped(value));
    expect(await createBases(meta, '').get('s')).toBeUndefined();
  });
});

describe('a claim', () => {
  const write = (events: readonly SessionEvent[], more: Partial<SessionWrite> = {}): SessionWrite =>
    untyped({
      sessionId: 's',
      events,
      expectedSeq: events[0] ? events[0].seq - 1 : 0,
      summary: { id: 's', seq: events.at(-1)?.seq ?? 0, status: 'running' },
      durability: 'strict',
      ...more,
    });

  test.each<readonly [what: string, events: readonly SessionEvent[], calls: readonly string[]]>([
    ['begins a call', [begun(3)], ['c']],
    ['proposes', [at(3, { type: 'approval.proposed', callId: 'c', proposal: { verdict: 'approved' } })], ['c']],
    ['has a decision of a person', [decided(3, 'user')], ['c']],
    ['has a decision of a timer', [decided(3, 'timeout')], []],
    ['has a decision of a rule', [at(3, untyped({ ...decided(3, 'user'), decidedBy: 'policy' }))], []],
    ['begins and ends a call', [begun(3), at(4, untyped({ type: 'call.ended', callId: 'c', outcome: 'failed' }))], []],
    ['begins a call and ends another', [begun(3), at(4, untyped({ type: 'call.ended', callId: 'd' }))], ['c']],
    ['ends the run', [begun(3), at(4, untyped({ type: 'run.ended', runId: 'r', outcome: 'failed' }))], []],
    ['says something', [says(3, 'x')], []],
  ])('is a write that %s', (_what, events, calls) => {
    expect(callsOf(write(events))).toEqual(calls);
    const has = calls.length > 0;
    expect([mayClaim(write(events), 'remote'), mayClaim(write(events), 'local')]).toEqual([has, false]);
    expect(mayClaim(write(events), () => 'remote')).toBe(has);
  });

  test('is one by the tool of its call, where the page tells tools apart', async () => {
    const stored = [call(1), call(2, 'look', 'd')];
    const local: SessionStore = untyped({ read: async () => ({ events: stored }) });
    const claims = (name: string) => (name === 'pay' ? 'remote' : 'local');
    expect(await isClaim(write([begun(3)]), local, claims)).toBe(true);
    expect(await isClaim(write([begun(3, 'd')]), local, claims)).toBe(false);
    expect(await isClaim(write([call(3, 'pay', 'e'), begun(4, 'e')]), local, claims)).toBe(true);
    expect(await isClaim(write([begun(3, 'd')]), local, 'remote')).toBe(true);
    expect(await isClaim(write([begun(3)]), local, 'local')).toBe(false);
  });

  /** Stores a claim. Resolves with what each store has got, and with what is noted. */
  async function claimed(
    given: SessionWrite,
    base: Base | undefined,
    more: Partial<ClaimEnv> & { fails?: Error } = {},
  ) {
    const { fails, ...env } = more;
    const [here, there]: [SessionWrite[], SessionWrite[]] = [[], []];
    const store = (writes: SessionWrite[], error?: Error): SessionStore =>
      untyped({
        async write(one: SessionWrite) {
          if (error) throw error;
          writes.push(one);
        },
      });
    const notes: (Base | undefined)[] = [];
    let ids = 0;
    const isStored = await storeClaim(given, {
      local: store(here),
      remote: store(there, fails),
      bases: { get: async () => base, set: async (_id, note) => void notes.push(note) },
      device: 'Ann',
      newId: () => `id${(ids += 1)}`,
      syncNow: async () => base,
      isLate: () => false,
      ...env,
    });
    return { isStored, here, there, notes };
  }
  const base: Base = { seq: 2, mine: 'a/2', theirs: 'b/2', device: 'Bob' };

  test('is stored there, then here, and noted', async () => {
    const { isStored, here, there, notes } = await claimed(write([begun(3)], { writeId: 'a/3' }), base);
    expect([isStored, here.length, there.length]).toEqual([true, 1, 1]);
    expect(there[0]).toMatchObject({ expectedWriteId: 'b/2', replaces: [] });
    expect(lineageOf(there[0]?.writeId)).toBe('b');
    expect(notes).toEqual([{ seq: 3, mine: 'a/3', theirs: there[0]?.writeId, device: 'Ann' }]);
  });

  test.each<readonly [what: string, given: object, known: Base | undefined, isAlsoThere: boolean]>([
    ['is the next of both sides', { expectedWriteId: 'a/2' }, base, true],
    ['expects another number', { expectedSeq: 1 }, base, false],
    ['expects another write', { expectedWriteId: 'a/1' }, base, false],
    ['expects another write at another number', { expectedSeq: 1, expectedWriteId: 'a/1' }, base, false],
    ['is the first of a session', { expectedSeq: 0 }, undefined, true],
    ['is not the first of a session that is not there', {}, undefined, false],
    ['has no name, where writes have none', { writeId: undefined }, { seq: 2 }, true],
  ])('that %s: %j', async (_what, given, known, isAlsoThere) => {
    const { isStored, here, there } = await claimed(write([begun(3)], { writeId: 'a/3', ...given }), known);
    expect([isStored, here.length, there.length]).toEqual([true, 1, isAlsoThere ? 1 : 0]);
  });

  test('whose answer was lost is not stored again', async () => {
    const { isStored, here, there } = await claimed(write([begun(3)], { writeId: 'a/2' }), base);
    expect([isStored, here, there]).toEqual([true, [], []]);
  });

  test('beside a run leaves the run to its device, and any other takes it', async () => {
    const proposal = at(3, { type: 'approval.proposed', callId: 'c', proposal: { verdict: 'approved' } });
    const deviceAfter = async (...events: SessionEvent[]) =>
      (await claimed(write(events, { writeId: 'a/3' }), base)).there[0]?.summary.origin?.device;
    expect(await deviceAfter(proposal)).toBe('Bob');
    expect(await deviceAfter(begun(3))).toBe('Ann');
    expect(await deviceAfter(proposal, begun(4))).toBe('Ann');
  });

  test('takes what is new of the write alone', async () => {
    const events = [says(2, 'one'), begun(3)];
    const { there } = await claimed(write(events, { writeId: 'a/3', expectedSeq: 2 }), base);
    expect(there[0]?.events).toEqual([begun(3)]);
  });

  test('that the remote store refuses is not stored here, nor one that it cannot take', async () => {
    const given = write([begun(3)], { writeId: 'a/3' });
    expect(await claimed(given, base, { fails: conflict() })).toEqual({
      isStored: false,
      here: [],
      there: [],
      notes: [],
    });
    const fails = broken();
    await expect(claimed(given, base, { fails })).rejects.toBe(fails);
  });

  test('whose writer has given up is not stored here', async () => {
    const late = await claimed(write([begun(3)], { writeId: 'a/3' }), base, { isLate: () => true });
    expect([late.isStored, late.here, late.there.length, late.notes]).toEqual([true, [], 1, []]);
  });

  test('that was refused is tried again at once; one that is refused again, or has no answer, after a pause', async () => {
    const outcomes = ['refused', 'refused', 'unreached', 'refused', 'stored'];
    const pauses: number[] = [];
    const host = {
      local: { write: () => expect.unreachable() },
      waiting: new Map(),
      signal: new AbortController().signal,
      onSync: () => {},
      current: () => ({ tryClaim: async () => ({ is: outcomes.shift(), cause: broken() }) }),
      ports: {
        now: () => 1,
        delay(end: () => void, ms: number) {
          // 10 s is the time that a claim waits.
          if (ms < 10_000) {
            pauses.push(ms);
            end();
          }
          return () => {};
        },
      },
    };
    await createClaim('remote', 10_000, untyped(host))(write([begun(3)]));
    expect([pauses, outcomes]).toEqual([[250, 500, 1_000], []]);
  });

  test.each([
    ['refused', 'has refused the claim', undefined],
    ['unreached', 'could not be reached', 'The connection is broken.'],
  ])('that is %s until it is late says so', async (is, message, cause) => {
    let late = (): void => {};
    let pauses = 0;
    const host = {
      local: { write: () => expect.unreachable() },
      waiting: new Map(),
      signal: new AbortController().signal,
      onSync: () => {},
      current: () => ({ tryClaim: async () => ({ is, cause: new Error('The connection is broken.') }) }),
      ports: {
        now: () => 1,
        delay(end: () => void, ms: number) {
          if (ms === 60_000) late = end;
          else if (++pauses < 3) end();
          else late();
          return () => {};
        },
      },
    };
    const claiming = createClaim('remote', 60_000, untyped(host))(write([begun(3)]));
    const thrown: unknown = await claiming.catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining(message) });
    expect(thrown instanceof AgentError && thrown.cause).toEqual(cause && new Error(cause));
  });

  test('that the remote store refuses once is stored on both sides in the end', async () => {
    const [local, far] = [createMemoryStore(), createMemoryStore()];
    let refusals = 0;
    const remote: SessionStore = {
      ...far,
      async write(one) {
        if (one.events.some(({ type }) => type === 'call.started') && refusals === 0) {
          refusals += 1;
          throw conflict();
        }
        return far.write(one);
      },
    };
    const store = createSyncedStore({ local, remote: createRemote(remote), device: 'Ann' });
    await put(store, [started, call(2)], 'a/1', 'running');
    await store.sync();
    await put(store, [begun(3)], 'a/2', 'running');
    for (const side of [local, far]) expect((await side.read('s'))?.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(refusals).toBe(1);
    store.close();
  });
});

describe('a claim that waits for its place', () => {
  /** A claim of a tab that waits for another tab, which compares the session. */
  async function waiting() {
    const memory = createMemoryStore();
    const writes: SessionWrite[] = [];
    const local: SessionStore = {
      ...memory,
      locks: createSessionLocks(`claims ${(names += 1)}`),
      write: (one) => (writes.push(one), memory.write(one)),
    };
    const [first, second] = [createMemoryStore(), createMemoryStore()];
    const store = createSyncedStore({ local, remote: createRemote(first), device: 'Ann' });
    await put(store, [started, call(2)], 'a/1', 'running');
    await store.sync();
    const lock = (await local.locks?.acquire('\u0000replica s')) ?? expect.unreachable();
    const stored = put(store, [begun(3)], 'a/2', 'running');
    await settle();
    return { store, local, writes, second, lock, stored };
  }
  let names = 0;
  const typesIn = async (store: SessionStore) => (await store.read('s'))?.events.map(({ type }) => type);

  test('goes to the remote store that is connected meanwhile', async () => {
    const { store, local, second, lock, stored } = await waiting();
    store.connect(createRemote(second));
    lock.release();
    await stored;
    for (const side of [local, second]) expect(await typesIn(side)).toContain('call.started');
    store.close();
  });

  test('ends when the store is closed, and is stored nowhere', async () => {
    const { store, writes, lock, stored } = await waiting();
    store.close();
    await expect(stored).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    lock.release();
    expect(writes).toHaveLength(1);
  });
});

test('text alone is sent once in an interval', async () => {
  const [local, remote] = [createMemoryStore(), createMemoryStore()];
  const timers: (readonly [() => void, number])[] = [];
  let time = 5_000;
  const ports = { now: () => time, delay: (end: () => void, ms: number) => (timers.push([end, ms]), () => {}) };
  const store = createSyncedStore({ local, remote: createRemote(remote), device: 'Ann', textInterval: 700, ports });
  const write = async (events: readonly SessionEvent[]) => {
    await put(store, events, `a/${events.at(-1)?.seq}`, 'running');
    await settle();
  };
  const there = async () => (await remote.read('s', { after: Infinity }))?.summary.seq;
  /** Lets the interval pass. */
  const pass = async (ms: number) => {
    time += ms;
    for (const [end, after] of timers.splice(0)) if (after === 700) end();
    await settle();
  };
  await write(shared);
  await store.sync();
  await write([delta(3, 'a')]);
  expect(await there()).toBe(3);
  await write([delta(4, 'b')]);
  expect(await there()).toBe(3);
  await pass(699);
  expect(await there()).toBe(3);
  await pass(1);
  expect(await there()).toBe(4);
  await write([says(5, 'x')]);
  expect(await there()).toBe(5);
  store.close();
});

describe('a write of one tab', () => {
  const sent = (events: readonly SessionEvent[]): SessionWrite => untyped({ sessionId: 's', events });

  function tab(replication?: object, devices?: object) {
    const stored: SessionWrite[] = [];
    const local: SessionStore = untyped({ write: async (one: SessionWrite) => void stored.push(one) });
    const write = createSignedWrites({ local, devices: untyped(devices), current: () => untyped(replication) });
    return { write, stored };
  }

  test('is stored within the call, also a decision where no device signs', () => {
    const { write, stored } = tab();
    void write(sent([decided(3, 'user')]));
    void write(sent([says(4, 'x')]));
    expect(stored).toHaveLength(2);
  });

  test('waits for a decision before it that is being signed', async () => {
    let sign = (): void => {};
    const { write, stored } = tab(undefined, {
      sign: (one: SessionWrite) =>
        one.events.some(({ type }) => type === 'approval.decided')
          ? new Promise((resolve) => (sign = () => resolve(one)))
          : one,
    });
    void write(sent([says(2, 'x')]));
    expect(stored).toHaveLength(1);
    void write(sent([decided(3, 'user')]));
    void write(sent([says(4, 'x')]));
    await settle();
    expect(stored).toHaveLength(1);
    sign();
    await settle();
    expect(stored.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual([2, 3, 4]);
    void write(sent([says(5, 'x')]));
    expect(stored).toHaveLength(4);
  });

  test('waits for a claim before it, and not for one of another session', async () => {
    const { write, stored } = tab({
      mayClaim: ({ events }: SessionWrite) => events.some(({ type }) => type === 'call.started'),
      claim: () => new Promise<never>(() => {}),
    });
    void write(sent([begun(3)]));
    void write(sent([says(4, 'x')]));
    void write({ ...sent([says(2, 'x')]), sessionId: 't' });
    await settle();
    expect(stored.map(({ sessionId }) => sessionId)).toEqual(['t']);
  });
});

/** What one session is synchronized with: stores that are watched. */
function envOf(more: Partial<SyncEnv> = {}) {
  const [local, remote] = [createMemoryStore(), createMemoryStore()];
  const bases = createBases(local.meta, '');
  let ids = 0;
  const env: SyncEnv = {
    local,
    remote,
    bases,
    device: 'Ann',
    devices: undefined,
    ports: { id: () => `id${(ids += 1)}`, now: () => 1_000_000 },
    toForkTitle: undefined,
    onFork: () => {},
    onTrouble: () => {},
    isBeingRemoved: () => false,
    noting: (_id, work) => work(),
    ...more,
  };
  return env;
}

describe('reading both sides', () => {
  const base: Base = { seq: 2, mine: 'a/2', theirs: 'b/2' };

  test.each([
    [true, false, 0],
    [true, true, 1],
    [false, false, 1],
    [false, true, 1],
  ])('with trust %s, whole %s reads the remote store %i times', async (isTrusted, isWhole, times) => {
    const env = envOf();
    await put(env.local, [...shared, says(3, 'two')], 'a/3');
    await env.bases.set('s', base);
    const read = vi.fn(env.remote.read);
    await readSides('s', { ...env, remote: { ...env.remote, read } }, isTrusted, isWhole);
    expect(read).toHaveBeenCalledTimes(times);
  });

  test('reads the remote store for a session without a note, and for one that is not here', async () => {
    const env = envOf();
    const read = vi.fn(env.remote.read);
    const watched = { ...env, remote: { ...env.remote, read } };
    await readSides('s', watched, true, false);
    await put(env.local, shared, 'a/2');
    await readSides('s', watched, true, false);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test.each<readonly [what: string, events: readonly SessionEvent[] | undefined, isNeeded: boolean]>([
    ['has its first event', [...shared, says(3, 'two')], true],
    ['has it no more', [...shared, says(3, 'three')], false],
    ['has it alone', [says(3, 'two')], true],
    ['is gone', undefined, false],
  ])('needs a fork where the log %s', async (_what, events, isNeeded) => {
    const env = envOf();
    if (events) await put(env.local, events, 'a/3');
    await env.bases.set('s', { ...base, forking: { id: 'f', first: JSON.stringify(says(3, 'two')) } });
    const { fork } = await readSides('s', env, false, false);
    expect(fork).toEqual({ id: 'f', state: { is: 'missing' }, isNeeded });
  });

  test('takes all calls of a session that was removed here for calls that may have run', async () => {
    const seen: (readonly string[])[] = [];
    const devices: SyncEnv['devices'] = untyped({
      vet: async ({ spent, theirs }: { spent: readonly string[]; theirs: readonly SessionEvent[] }) => {
        seen.push(spent);
        return { events: theirs, held: [], isOpen: false, spent };
      },
    });
    const env = envOf({ devices });
    const events = [...shared, call(3), call(4, 'look', 'd'), at(5, { type: 'approval.requested', callId: 'e' })];
    await put(env.remote, events, 'b/5');
    await put(env.local, shared, 'a/2');
    await env.local.remove('s');
    await env.bases.set('s', { ...base, spent: ['x'] });
    await readSides('s', env, false, true);
    await env.bases.set('s', undefined);
    await readSides('s', env, false, true);
    expect(seen).toEqual([['c', 'd'], []]);
  });
});

describe('bringing a session in step', () => {
  const base: Base = { seq: 2, mine: 'a/2', theirs: 'a/2' };

  /** @param before called before each write on the remote store */
  async function growing(events: readonly SessionEvent[], before = () => {}) {
    const env = envOf();
    for (const store of [env.local, env.remote]) await put(store, shared, 'a/2');
    await env.bases.set('s', base);
    await put(env.local, [...shared, ...events], 'a/9');
    const write = vi.fn(async (one: SessionWrite) => {
      before();
      return env.remote.write(one);
    });
    const read = vi.fn(env.local.read);
    return { env: { ...env, local: { ...env.local, read }, remote: { ...env.remote, write } }, write, read };
  }

  test.each<readonly [what: string, events: readonly SessionEvent[], isHot: boolean, isPostponed: boolean]>([
    ['text while it is hot', [delta(3, 'a')], true, true],
    ['text while it is not', [delta(3, 'a')], false, false],
    ['text and a message', [delta(3, 'a'), says(4, 'x')], true, false],
    ['a message', [says(3, 'x')], true, false],
  ])('sends %s, or postpones it', async (_what, events, isHot, isPostponed) => {
    const { env, write } = await growing(events);
    const result = await syncSession('s', env, true, () => isHot);
    expect(result === 'postponed').toBe(isPostponed);
    expect(write).toHaveBeenCalledTimes(isPostponed ? 0 : 1);
  });

  test('reads what is new, and begins again after a conflict alone', async () => {
    const plain = await growing([says(3, 'x')]);
    await syncSession('s', plain.env, true);
    expect(plain.read.mock.calls.map(([, options]) => options)).toEqual([{ after: 2 }, { after: 3 }]);

    let isFirst = true;
    const rival = await growing([says(3, 'x')], () => {
      if (!isFirst) return;
      isFirst = false;
      throw conflict();
    });
    await syncSession('s', rival.env, true);
    expect(rival.write).toHaveBeenCalledTimes(2);

    const error = broken();
    const failing = await growing([says(3, 'x')], () => {
      throw error;
    });
    await expect(syncSession('s', failing.env, true)).rejects.toBe(error);
    expect(failing.write).toHaveBeenCalledTimes(1);
  });

  test('names the damage of the log here', async () => {
    const env = envOf();
    const read = async () => ({ ...log(shared).stored, damage: 'event 2 is missing' });
    await expect(syncSession('s', { ...env, local: { ...env.local, read } }, false)).rejects.toThrow(
      'Session s is damaged on this device: event 2 is missing.',
    );
  });

  test('names the write of another device as that device does, and a merged one by itself', () => {
    const env = envOf();
    const sides = (more: Partial<Sides>): Sides => ({
      id: 's',
      base: undefined,
      here: missing,
      there: missing,
      from: 0,
      now: 1,
      isGuarded: false,
      ...more,
    });
    const there = log([...shared, says(3, 'x')], { writeId: 'b/Bob:three', device: 'Bob' });
    const plan = { common: 0, events: there.stored.events };
    const plain = toWriteHere(plan, sides({ there }), env);
    expect([lineageOf(plain.writeId), plain.writeId?.endsWith('three')]).toEqual(['b', true]);
    expect(plain.summary.origin?.device).toBe('Bob');
    const upon = toWriteHere({ common: 2, events: [says(3, 'x')] }, sides({ there, here: log(shared) }), env);
    expect(lineageOf(upon.writeId)).toBe('a');
    const merged = toWriteHere({ ...plan, isMerged: true }, sides({ there }), env);
    expect(merged.writeId).not.toContain('three');
    const own = toWriteHere(plan, sides({ there: log(shared, { device: 'Ann' }) }), env);
    expect(own.summary.origin).toBeUndefined();
  });

  test.each<readonly [events: readonly SessionEvent[], device: string]>([
    [[named(3, 'x')], 'Bob'],
    [[says(3, 'x')], 'Ann'],
    [[named(3, 'x'), says(4, 'x')], 'Ann'],
  ])('leaves a run to its device, for what is beside it: %j', async (events, device) => {
    const env = envOf();
    await put(env.remote, shared, 'b/Bob:2');
    const there = log(shared, { writeId: 'b/Bob:2', device: 'Bob' });
    const sides: Sides = {
      id: 's',
      base: undefined,
      here: log([...shared, ...events]),
      there,
      from: 0,
      now: 1,
      isGuarded: false,
    };
    await writeThere({ do: 'write-there', common: 2, events }, sides, env);
    expect((await env.remote.read('s'))?.summary.origin?.device).toBe(device);
    expect((await env.bases.get('s'))?.device).toBe(device);
    // Where no device is known there, it is this one.
    const fresh = envOf();
    await writeThere({ do: 'write-there', common: 0, events }, { ...sides, here: log(events), there: missing }, fresh);
    expect((await fresh.remote.read('s'))?.summary.origin?.device).toBe('Ann');
  });

  test('stores a fork once, also where the page ended after it', async () => {
    const here = log([...shared, says(3, 'mine')]);
    const env = envOf();
    const write = vi.fn(env.local.write);
    const watched = { ...env, local: { ...env.local, write } };
    const sides: Sides = { id: 's', base, here, there: log(shared), from: 0, now: 1, isGuarded: false };
    const plan = { do: 'fork', common: 2, events: [], first: says(3, 'mine') } as const;
    await keepAsFork(plan, sides, watched);
    expect(write).toHaveBeenCalledTimes(1);
    const forking = (await env.bases.get('s'))?.forking ?? expect.unreachable();
    const stored = await env.local.read(forking.id);
    await keepAsFork({ ...plan, begun: { id: forking.id, stored } }, sides, watched);
    expect(write).toHaveBeenCalledTimes(1);
    // What this device has stored since belongs to the fork, too.
    const grown = { ...sides, here: log([...shared, says(3, 'mine'), says(4, 'more')]) };
    await keepAsFork({ ...plan, begun: { id: forking.id, stored } }, grown, watched);
    expect(write).toHaveBeenCalledTimes(2);
    const { writeId } = stamp(forking.id, '4', { kind: 'kept', of: '4' });
    expect((await env.local.read(forking.id))?.writeId).toBe(writeId);
  });
});

describe('how a session relates to the remote store', () => {
  const stored = (seq: number, writeId: string): StoredSession =>
    untyped({ summary: { seq, updatedAt: 9, status: 'idle' }, events: [], writeId });
  const base: Base = { seq: 2, mine: 'a/2' };
  const facts = { error: undefined, waiting: undefined };

  test('is in step by number and by write', () => {
    const stateOf = (one: StoredSession, known?: Base) => toSessionSync(known, one, 'Ann', facts)?.state;
    expect(stateOf(stored(2, 'a/2'), base)).toBe('in-step');
    expect(stateOf(stored(3, 'a/2'), base)).toBe('behind');
    expect(stateOf(stored(2, 'a/x'), base)).toBe('behind');
    expect(stateOf(stored(2, 'a/2'))).toBe('behind');
  });

  test('is refused with its reason, before anything else', () => {
    const error = broken();
    const sync = toSessionSync(base, stored(2, 'a/2'), 'Ann', { error, waiting: 5 });
    expect(sync).toEqual({ state: 'refused', error });
    expect(toSessionSync(base, stored(2, 'a/2'), 'Ann', { ...facts, waiting: 5 })).toEqual({
      state: 'waiting',
      since: 5,
    });
  });
});

describe('the loop that synchronizes', () => {
  function looping(
    syncOne: () => Promise<undefined>,
    compareLists = async () => ({ changed: [] as string[], added: [] }),
  ) {
    const troubles: unknown[] = [];
    const timers: (() => void)[] = [];
    const states: string[] = [];
    const closing = new AbortController();
    const once = vi.fn(syncOne);
    const loop = createLoop({
      ports: { now: () => 1, delay: (end) => (timers.push(end), () => {}) },
      signal: closing.signal,
      syncOne: once,
      compareLists,
      onTrouble: (_id, error) => void troubles.push(error),
      onStatus: () => void states.push(loop.getStatus().state),
    });
    return { loop, timers, states, troubles, closing, once };
  }
  const unreached = async (): Promise<never> => {
    throw new AgentError('No answer.', { code: 'STORAGE_UNAVAILABLE' });
  };

  test('waits after a failure, whatever changes meanwhile, and reports a state once', async () => {
    const { loop, timers, states, once } = looping(unreached);
    loop.poke('s');
    await settle();
    loop.poke('t');
    await settle();
    expect([once.mock.calls.length, timers.length, states]).toEqual([1, 1, ['behind', 'offline']]);
    timers.shift()?.();
    await settle();
    expect([once.mock.calls.length, states]).toEqual([2, ['behind', 'offline']]);
  });

  test('rejects while the remote store cannot be reached', async () => {
    const { loop } = looping(unreached);
    loop.poke('s');
    await expect(loop.sync()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    const other = looping(async () => undefined);
    other.loop.poke('s');
    await other.loop.sync();
    expect(other.loop.getStatus()).toEqual({ state: 'in-step' });
  });

  test.each(['a session', 'the lists'])('ends when it is closed while it reads %s, without a word', async (what) => {
    let fail = (_reason: Error): void => {};
    const pending = () => new Promise<never>((_, reject) => (fail = reject));
    const s = what === 'the lists' ? looping(async () => undefined, pending) : looping(pending);
    if (what === 'the lists') void s.loop.sync().catch(() => {});
    else s.loop.poke('s');
    await settle();
    s.closing.abort();
    // Of one session: it is reported while the loop is open.
    fail(new AgentError('The log is damaged.', { code: 'STORAGE_CORRUPT' }));
    await settle();
    expect([s.timers, s.states, s.troubles]).toEqual([[], ['behind'], []]);
  });
});

describe('the lease of a synced store', () => {
  test('is that of both, and both are released', async () => {
    const released: string[] = [];
    const lockOf = (name: string) => ({
      isExclusive: true,
      signal: new AbortController().signal,
      release: () => void released.push(name),
    });
    const locks = createReplicaLocks({
      local: untyped({ acquire: async () => lockOf('here'), isHeld: async () => true }),
      remote: untyped({ acquire: async () => lockOf('there'), isHeld: async () => false }),
      isElsewhere: async () => false,
      whenChanged: async () => false,
    });
    const lock = await locks.acquire('s');
    await settle();
    expect(released).toEqual([]);
    lock.release();
    expect(released.toSorted()).toEqual(['here', 'there']);
    // Another tab of this device has it.
    expect(await locks.isHeld?.('s')).toBe(true);
  });
});

describe('a synced store', () => {
  test('is not its own remote store', () => {
    const local = createMemoryStore();
    expect(() => createSyncedStore({ local, remote: createRemote(local), device: 'Ann' })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
    const { meta: _meta, ...far } = createMemoryStore();
    expect(() =>
      createSyncedStore({ local, remote: createRemote({ ...far, meta: local.meta }), device: 'Ann' }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  test('over a store that cannot restore restores nothing, and counts as persistent where the store does not say', async () => {
    const { restore: _restore, isPersistent: _isPersistent, ...local } = createMemoryStore();
    const store = createSyncedStore({ local });
    expect([await store.restore?.('s'), store.isPersistent?.()]).toEqual([false, true]);
    const lost = createSyncedStore({ local: { ...createMemoryStore(), isPersistent: () => false } });
    expect(lost.isPersistent?.()).toBe(false);
  });
});
