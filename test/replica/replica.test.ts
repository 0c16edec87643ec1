import { AgentError, type AgentSession, toolParts } from 'brooklet';
import type { SessionLocks } from 'brooklet/core';
import { createRemote, createSyncedStore, type SessionSync } from 'brooklet/sync';
import { createMemoryStore } from 'brooklet/storage';
import { reply } from 'brooklet/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDevice, type Device, syncAll } from './support.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets virtual time pass. An `import()` takes real time. */
async function settle(ms = 1_000): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

const titlesOf = async ({ store }: Device): Promise<readonly string[]> =>
  (await store.list()).sessions.map(({ title }) => title).toSorted();

async function talk(device: Device, id: string, text: string): Promise<AgentSession> {
  const session = await device.agent.openSession(id);
  void session.send(text);
  await settle();
  await session.flushed();
  return session;
}

async function lastSync(device: Device, id: string): Promise<SessionSync | undefined> {
  let last: SessionSync | undefined;
  const subscription = device.store.sessionSync$(id).subscribe((sync) => (last = sync));
  await settle(10);
  subscription.unsubscribe();
  return last;
}

/** Two devices with one session that both have. */
async function createPair(options: Parameters<typeof createDevice>[2] = {}) {
  const engine = createMemoryStore();
  const answers = Array.from({ length: 9 }, () => [reply.text('Hello.')]);
  const ann = createDevice('Ann', engine, { answers, ...options });
  const bob = createDevice('Bob', engine, { answers, ...options });
  const id = ann.agent.createSession();
  await talk(ann, id, 'Hi');
  await syncAll(ann, bob);
  await bob.agent.openSession(id);
  return { engine, ann, bob, id };
}

/** The messages of a session, without the device that brought them. */
function said(session: AgentSession | undefined): readonly object[] {
  return (session?.getMessages() ?? []).map(({ origin: _origin, ...message }) => message);
}

describe('two devices', () => {
  test('show the same after each of them has written', async () => {
    const { ann, bob, id } = await createPair();
    await talk(bob, id, 'From Bob');
    await settle();
    const [here, there] = [ann.agent.getSession(id), bob.agent.getSession(id)];
    expect(said(here)).toEqual(said(there));
    // Each device knows which messages the other one brought.
    expect([here, there].map((one) => one?.getMessages().map(({ origin }) => origin?.type))).toEqual([
      [undefined, undefined, 'device', 'device'],
      ['device', 'device', undefined, undefined],
    ]);
    expect(here?.getMessages()).toHaveLength(4);
    expect(await lastSync(ann, id)).toEqual({ state: 'in-step' });
  });

  test('keep a name that one gave while the other had a run', async () => {
    const { ann, bob, id } = await createPair();
    bob.connect(false);
    bob.agent.getSession(id)?.rename('Otters');
    await talk(ann, id, 'More');
    bob.connect(true);
    await syncAll(ann, bob);
    expect([await titlesOf(ann), await titlesOf(bob)]).toEqual([['Otters'], ['Otters']]);
    expect(bob.agent.getSession(id)?.getMessages()).toHaveLength(4);
    expect([...ann.forks, ...bob.forks]).toEqual([]);
  });

  test('keep the later of two runs as a named fork, on both', async () => {
    const { ann, bob, id } = await createPair();
    bob.connect(false);
    await talk(bob, id, 'From Bob');
    await talk(ann, id, 'From Ann');
    bob.connect(true);
    await syncAll(ann, bob);
    expect(bob.forks).toEqual([{ sessionId: id, keptAs: expect.any(String), device: 'Bob' }]);
    expect(await titlesOf(ann)).toEqual(['Hi', 'Hi (kept from Bob)']);
    expect(await titlesOf(bob)).toEqual(await titlesOf(ann));
    const fork = await ann.agent.openSession(bob.forks[0]?.keptAs ?? '');
    expect(JSON.stringify(fork.getMessages())).toContain('From Bob');
    expect(JSON.stringify(bob.agent.getSession(id)?.getMessages())).toContain('From Ann');
    expect(await lastSync(bob, id)).toEqual({ state: 'in-step', keptAs: bob.forks[0]?.keptAs });
  });

  test('send an hour offline as one write', async () => {
    const { engine, ann, id } = await createPair();
    const write = vi.spyOn(engine, 'write');
    const heard: string[] = [];
    engine.changes$.subscribe((changed) => heard.push(changed));
    ann.connect(false);
    for (const text of ['One', 'Two', 'Three']) await talk(ann, id, text);
    await settle(3_600_000);
    expect(ann.store.getStatus().state).toBe('offline');
    expect(heard).toEqual([]);
    ann.connect(true);
    await settle();
    expect(heard).toEqual([id]);
    write.mockRestore();
  });

  test('remove a session everywhere, and keep one that the other has gone on with', async () => {
    const { ann, bob, id } = await createPair();
    await ann.store.remove(id);
    await syncAll(ann, bob);
    expect(await titlesOf(bob)).toEqual([]);

    const other = ann.agent.createSession();
    await talk(ann, other, 'Otters');
    await syncAll(ann, bob);
    bob.connect(false);
    await talk(bob, other, 'Go on');
    await ann.store.remove(other);
    await ann.store.sync();
    bob.connect(true);
    await syncAll(bob, ann);
    expect([await titlesOf(ann), await titlesOf(bob)]).toEqual([['Otters'], ['Otters']]);
    expect(bob.troubles).toEqual([{ type: 'revived', sessionId: other }]);
  });
});

describe('a call that two devices approve', () => {
  const answers = [[reply.call('pay', '{}')], [reply.text('Done.')], [reply.text('Done.')]];

  async function createWaiting() {
    const engine = createMemoryStore();
    const devices = ['Ann', 'Bob'].map((name) =>
      createDevice(name, engine, { answers: name === 'Ann' ? answers : answers.slice(1) }),
    );
    const [ann = expect.unreachable(), bob = expect.unreachable()] = devices;
    const id = ann.agent.createSession();
    const session = await talk(ann, id, 'Pay');
    await syncAll(ann, bob);
    const { callId = '' } = toolParts(session.getMessages().at(-1) ?? expect.unreachable())[0] ?? {};
    const approve = (device: Device) => device.agent.openSession(id).then((its) => its.approve(callId));
    return { engine, ann, bob, id, callId, approve };
  }

  test('runs on the device that asked when the other device approves it without driving, and nowhere while that device is away', async () => {
    const { ann, bob, id, callId } = await createWaiting();
    const phone = await bob.agent.openSession(id);
    expect(await lastSync(bob, id)).toMatchObject({ asker: 'Ann' });
    expect(await lastSync(ann, id)).not.toHaveProperty('asker');
    ann.connect(false);
    const decision = phone.approve(callId, { drive: false });
    await settle();
    await decision;
    expect(phone.getMessages().flatMap(toolParts)).toMatchObject([
      { status: 'awaiting-approval', approval: { proposal: { verdict: 'approved' } } },
    ]);
    expect(await lastSync(bob, id)).toMatchObject({ asker: 'Ann' });
    await settle(3_600_000);
    expect([...ann.ran, ...bob.ran]).toEqual([]);
    ann.connect(true);
    await settle(60_000);
    await syncAll(ann, bob);
    expect(ann.ran).toEqual([callId]);
    expect(bob.ran).toEqual([]);
    expect(phone.getStatus()).toBe('idle');
    expect(said(phone)).toEqual(said(ann.agent.getSession(id)));
  });

  test('is not decided without driving while the shared store is away', async () => {
    const { ann, bob, id, callId } = await createWaiting();
    const phone = await bob.agent.openSession(id);
    await settle();
    bob.connect(false);
    const decision = phone.approve(callId, { drive: false }).catch((thrown: unknown) => thrown);
    await settle(20_000);
    expect(await decision).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    bob.connect(true);
    await settle(60_000);
    await syncAll(ann, bob);
    expect(phone.getMessages().flatMap(toolParts)[0]).not.toHaveProperty('approval.proposal');
    expect([...ann.ran, ...bob.ran]).toEqual([]);
  });

  test('runs on none of them without a connection, and once with it', async () => {
    const { ann, bob, id, callId, approve } = await createWaiting();
    for (const device of [ann, bob]) device.connect(false);
    const decisions = [approve(ann), approve(bob)].map((decision) => decision.catch((thrown: unknown) => thrown));
    await settle(500);
    expect((await lastSync(ann, id))?.state).toBe('waiting');
    expect([...ann.ran, ...bob.ran]).toEqual([]);
    for (const device of [ann, bob]) device.connect(true);
    await settle(60_000);
    expect([...ann.ran, ...bob.ran]).toEqual([callId]);
    const [one, other] = await Promise.all(decisions);
    expect([one, other].filter((thrown) => thrown === undefined)).toHaveLength(1);
    expect([one, other].find((thrown) => thrown !== undefined)).toMatchObject({ code: 'CALL_NOT_PENDING' });
  });

  test.each(['the removed log had run it', 'the device that removed it had it'])(
    'cannot run in a session that was removed and is stored again: %s',
    async (which) => {
      const { ann, bob, id, callId, approve } = await createWaiting();
      bob.connect(false);
      await bob.agent.openSession(id).then((session) => session.rename('Bills'));
      if (which === 'the removed log had run it') {
        await approve(ann);
        await settle();
        expect(ann.ran).toEqual([callId]);
        await syncAll(ann);
      }
      await ann.store.remove(id);
      await ann.store.sync();
      bob.connect(true);
      await syncAll(bob, ann);
      await settle(60_000);
      await syncAll(bob, ann);
      expect([await titlesOf(ann), await titlesOf(bob)]).toEqual([['Bills'], ['Bills']]);
      for (const device of [bob, ann]) {
        const session = await device.agent.openSession(id);
        expect(session.getMessages().flatMap(toolParts)).toMatchObject([{ callId, status: 'cancelled' }]);
        await expect(session.approve(callId)).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
      }
      expect(bob.ran).toEqual([]);
      expect(bob.troubles).toContainEqual({ type: 'revived', sessionId: id });
    },
  );

  test('is still decided where the removed session had it after its devices last met', async () => {
    const { ann, bob, id } = await createPair({ answers: [[reply.text('Hello.')], ...answers] });
    bob.connect(false);
    await talk(bob, id, 'Hi');
    const phone = await talk(bob, id, 'Pay');
    await ann.store.remove(id);
    await ann.store.sync();
    bob.connect(true);
    await syncAll(bob, ann);
    const [call] = phone.getMessages().flatMap(toolParts);
    expect(call?.status).toBe('awaiting-approval');
    await phone.approve(call?.callId ?? '');
    await settle();
    expect(bob.ran).toEqual([call?.callId]);
  });

  test('runs once when the answer to its claim is lost', async () => {
    const { engine, ann, id, callId, approve } = await createWaiting();
    const { write } = engine;
    let lost = 0;
    Object.assign(engine, {
      async write(one: Parameters<typeof write>[0]) {
        await write(one);
        const isClaim = one.events.some(({ type }) => type === 'call.started' || type === 'approval.decided');
        if (isClaim && lost++ < 2) throw new AgentError('The answer is lost.', { code: 'STORAGE_FAILED' });
      },
    });
    void approve(ann);
    await settle(20_000);
    expect(lost).toBeGreaterThan(1);
    expect(ann.ran).toEqual([callId]);
    expect(ann.agent.getSession(id)?.getStatus()).toBe('idle');
  });

  test('rejects after a time without a connection, and awaits approval again', async () => {
    const { ann, id, approve } = await createWaiting();
    ann.connect(false);
    const decision = approve(ann).catch((thrown: unknown) => thrown);
    await settle(11_000);
    await expect(decision).resolves.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(ann.agent.getSession(id)?.getStatus()).toBe('waiting');
    expect(ann.ran).toEqual([]);
  });

  test('runs without a connection where claims are local', async () => {
    const engine = createMemoryStore();
    const ann = createDevice('Ann', engine, { answers, claims: (name) => (name === 'pay' ? 'local' : 'remote') });
    const session = await talk(ann, ann.agent.createSession(), 'Pay');
    ann.connect(false);
    const { callId = '' } = toolParts(session.getMessages().at(-1) ?? expect.unreachable())[0] ?? {};
    await session.approve(callId);
    await settle();
    expect(ann.ran).toEqual([callId]);
  });
});

describe('a run of another device', () => {
  const slow = [reply.text('one two three four five six seven eight nine ten', { ms: 1_000 })];

  /** Ann runs a session; Bob opens it. */
  async function createRunning(locks?: SessionLocks) {
    const engine = createMemoryStore();
    const leases = locks && { locks };
    const ann = createDevice('Ann', { ...engine, ...leases }, { answers: [slow] });
    const bob = createDevice('Bob', { ...engine, ...leases });
    const id = ann.agent.createSession();
    void (await ann.agent.openSession(id)).send('Hi');
    await settle(3_000);
    await bob.store.sync();
    const opening = bob.agent.openSession(id);
    // Where no lease is held, opening waits for the end of the run, for a second at most.
    await settle(1_001);
    return { engine, ann, bob, id, session: await opening };
  }

  test('is followed, and not interrupted', async () => {
    const { ann, bob, id, session } = await createRunning();
    expect(session.getStatus()).toBe('running');
    expect(await lastSync(bob, id)).toMatchObject({ state: 'elsewhere', device: 'Ann' });
    await settle(30_000);
    expect(session.getStatus()).toBe('idle');
    expect(said(session)).toEqual(said(ann.agent.getSession(id)));
    expect(session.getState().run?.outcome).toBe('completed');
  });

  test.each([
    ['streams on', true],
    ['is silent', false],
  ])('is followed where its lease is stored later than its events, and the device %s', async (_what, isConnected) => {
    let isHeld = false;
    const { locks: inner = expect.unreachable() } = createSyncedStore({
      local: createMemoryStore(),
      remote: createRemote(createMemoryStore()),
      device: 'leases',
    });
    const { ann, session } = await createRunning({ ...inner, isHeld: async () => isHeld });
    ann.connect(isConnected);
    await settle(1_500);
    isHeld = true;
    await settle(3_000);
    expect(session.getStatus()).toBe('running');
    ann.connect(true);
    await settle(30_000);
    expect(session.getState().run?.outcome).toBe('completed');
  });

  test('stays open when that device is gone and nobody can tell', async () => {
    const { ann, session } = await createRunning();
    ann.store.close();
    await settle(600_000);
    expect(session.getStatus()).toBe('running');
    const taken = session.takeOver();
    await settle(3_000);
    await taken;
    expect(session.getStatus()).toBe('interrupted');
  });

  test('is interrupted when the leases say that the device is gone', async () => {
    let isHeld = true;
    const { locks: inner = expect.unreachable() } = createSyncedStore({
      local: createMemoryStore(),
      remote: createRemote(createMemoryStore()),
      device: 'leases',
    });
    const { ann, session } = await createRunning({ ...inner, isHeld: async () => isHeld });
    ann.connect(false);
    await settle(60_000);
    expect(session.getStatus()).toBe('running');
    isHeld = false;
    ann.store.close();
    await settle(6_000);
    expect(session.getStatus()).toBe('interrupted');
  });
});

describe('a run whose device was taken for gone', () => {
  /** Ann's run goes on without a connection; Bob's device has interrupted it. */
  async function createCutOff() {
    let isHeld = true;
    const { locks: inner = expect.unreachable() } = createSyncedStore({
      local: createMemoryStore(),
      remote: createRemote(createMemoryStore()),
      device: 'leases',
    });
    const engine = { ...createMemoryStore(), locks: { ...inner, isHeld: async () => isHeld } };
    const ann = createDevice('Ann', engine, {
      answers: [[reply.text('one two three four five six seven eight nine ten', { ms: 1_000 })]],
    });
    const bob = createDevice('Bob', engine, { answers: [[reply.text('From Bob.')]] });
    const id = ann.agent.createSession();
    void (await ann.agent.openSession(id)).send('Hi');
    await settle(3_000);
    await bob.store.sync();
    const opening = bob.agent.openSession(id);
    await settle(1);
    const session = await opening;
    ann.connect(false);
    isHeld = false;
    await settle(5_000);
    expect(session.getStatus()).toBe('interrupted');
    session.rename('Numbers');
    await settle(20_000);
    expect(ann.agent.getSession(id)?.getStatus()).toBe('idle');
    return { ann, bob, session, id };
  }

  test('goes on where nobody has answered the interruption', async () => {
    const { ann, bob, session, id } = await createCutOff();
    ann.connect(true);
    await syncAll(ann, bob);
    await settle();
    const its = ann.agent.getSession(id);
    expect(said(session)).toEqual(said(its));
    expect(JSON.stringify(session.getMessages())).toContain('nine ten');
    expect([session.getState().run?.outcome, session.getStatus()]).toEqual(['completed', 'idle']);
    expect([session.getState().title, its?.getState().title]).toEqual(['Numbers', 'Numbers']);
    expect([...ann.forks, ...bob.forks]).toEqual([]);
  });

  test('is kept as a fork where the other device has resumed it', async () => {
    const { ann, bob, session, id } = await createCutOff();
    void session.resume();
    await settle(5_000);
    ann.connect(true);
    await syncAll(ann, bob);
    expect(ann.forks).toMatchObject([{ sessionId: id, device: 'Ann' }]);
    expect(JSON.stringify(ann.agent.getSession(id)?.getMessages())).toContain('From Bob.');
  });
});

describe('a remote log that does not fit', () => {
  test.each([
    ['an event without its fields', { type: 'message.added', seq: 2, at: 1, v: 2 }, 'message is missing'],
    ['a second beginning', { type: 'session.started', sessionId: 'bad', seq: 2, at: 1, v: 2 }, 'out of place'],
    ['an event of a newer version', { type: 'session.renamed', title: 'x', seq: 2, at: 1, v: 9 }, 'v is not one of 2'],
  ])('is not stored: %s', async (_name, event, reason) => {
    const engine = createMemoryStore();
    const ann = createDevice('Ann', engine);
    const summary = { id: 'bad', title: '', createdAt: 1, updatedAt: 1, status: 'idle', messageCount: 0 } as const;
    const events = [{ type: 'session.started', sessionId: 'bad', seq: 1, at: 1, v: 2 }, event];
    // What another program may have written there.
    const write = { sessionId: 'bad', expectedSeq: 0, events, durability: 'relaxed' } as never as Parameters<
      typeof engine.write
    >[0];
    await engine.write({ ...write, summary: { ...summary, usage: { input: 0, output: 0 }, seq: 2 } });
    await ann.store.sync();
    expect(await ann.local.read('bad')).toBeUndefined();
    expect(ann.troubles).toMatchObject([{ type: 'refused', sessionId: 'bad', error: { code: 'STORAGE_CORRUPT' } }]);
    expect(JSON.stringify(ann.troubles.map((trouble) => ('error' in trouble ? trouble.error.message : '')))).toContain(
      reason,
    );
    expect(ann.store.getStatus()).toEqual({ state: 'in-step' });
  });
});

test('a row of a kind that a newer version states is not taken for a log', async () => {
  const engine = createMemoryStore();
  const ann = createDevice('Ann', engine, { answers: [[reply.text('Hello.')]] });
  const id = ann.agent.createSession();
  await talk(ann, id, 'Hi');
  await ann.store.sync();
  const { summary, events, writeId = '' } = (await engine.read(id)) ?? expect.unreachable();
  const origin = { writeId: `${writeId}b`, kind: 'newer' } as never;
  const expected = { expectedSeq: summary.seq, expectedWriteId: writeId, durability: 'strict' } as const;
  await engine.write({
    sessionId: id,
    ...expected,
    writeId: `${writeId}b`,
    summary: { ...summary, origin },
    events: [],
  });
  const bob = createDevice('Bob', engine);
  await bob.store.sync();
  expect([events.length > 0, await bob.local.read(id)]).toEqual([true, undefined]);
  expect(bob.troubles).toMatchObject([{ type: 'refused', error: { message: expect.stringContaining('origin.kind') } }]);
});

test('a wrong option is an error that names it', () => {
  const engine = createMemoryStore();
  const good = { local: createMemoryStore(), remote: createRemote(engine), device: 'Ann' };
  const { meta: _meta, ...bare } = createMemoryStore();
  for (const [options, message] of [
    [{ ...good, device: '' }, '`device` of the replica is empty'],
    [{ ...good, local: bare }, '`local.meta` of the replica is missing'],
    [{ ...good, claimTimeout: 0 }, '`claimTimeout` of the replica'],
  ] as const)
    expect(() => createSyncedStore(options)).toThrow(message);
});
