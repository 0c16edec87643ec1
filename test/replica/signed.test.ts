import { type AgentSession, type SessionEvent, toolParts } from 'brooklet';
import type { EventBody } from 'brooklet/core';
import type { HeldReason, SessionSync } from 'brooklet/sync';
import { createMemoryStore } from 'brooklet/storage';
import { reply } from 'brooklet/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { vet } from '../../src/sync/devices/vet.ts';
import { installImmediateCrypto } from '../support/immediate-crypto.ts';
import { createSigners, type Signers } from './signers.ts';
import { createDevice, type Device, syncAll } from './support.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let restoreCrypto = (): void => {};
beforeAll(() => void (restoreCrypto = installImmediateCrypto()));
afterAll(() => restoreCrypto());

async function settle(ms = 1_000): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

const answers = [[reply.call('pay', '{"amount":7}')], [reply.text('Done.')], [reply.text('Done.')]];
type Engine = ReturnType<typeof createMemoryStore>;

/** Ann's device asks whether it may pay. Bob's is known; Eve's has the key of the store, and is not known. */
async function createWaiting() {
  const engine = createMemoryStore();
  const signers = await createSigners({ known: ['Ann', 'Bob', 'Carl', 'Cem'], unknown: ['Eve'] });
  const create = (name: string): Device =>
    createDevice(name, engine, {
      answers: name === 'Ann' ? answers : answers.slice(1),
      devices: signers.guardOf(name),
    });
  const [ann, bob, eve] = [create('Ann'), create('Bob'), create('Eve')];
  const id = ann.agent.createSession();
  const session = await ann.agent.openSession(id);
  void session.send('Pay');
  await settle();
  await syncAll(ann, bob, eve);
  const callId = callOf(session).callId;
  return { engine, signers, create, ann, bob, eve, id, callId, session };
}

function callOf(session: AgentSession) {
  const [call] = session.getMessages().flatMap(toolParts);
  return call ?? expect.unreachable();
}

async function lastSync({ store }: Device, id: string): Promise<SessionSync | undefined> {
  let last: SessionSync | undefined;
  const subscription = store.sessionSync$(id).subscribe((sync) => (last = sync));
  await settle(10);
  subscription.unsubscribe();
  return last;
}

/** Somebody with the key of the store adds events to a log, or replaces its end. */
async function forge(
  engine: Engine,
  id: string,
  bodies: readonly EventBody[],
  keep: (event: SessionEvent) => boolean = () => true,
) {
  const { events, summary, writeId } = (await engine.read(id)) ?? expect.unreachable();
  const kept = events.filter(keep);
  const isReplacing = kept.length < events.length;
  const base = kept.at(-1)?.seq ?? 0;
  const added = bodies.map((body, index): SessionEvent => ({ at: 77, v: 2, ...body, seq: base + 1 + index }));
  const all = isReplacing ? [...kept, ...added] : added;
  await engine.write({
    sessionId: id,
    events: all,
    ...(isReplacing && { replaces: [[0, Number.MAX_SAFE_INTEGER]] }),
    summary: { ...summary, seq: all.at(-1)?.seq ?? 0, status: 'interrupted', updatedAt: summary.updatedAt + 1 },
    expectedSeq: summary.seq,
    expectedWriteId: writeId,
    writeId: `${isReplacing ? 'forged' : (writeId ?? '').split('/')[0]}/Eve:forged-${base}-${bodies.length}`,
    durability: 'relaxed',
  });
}

const approved = (callId: string): EventBody => ({
  type: 'approval.decided',
  callId,
  verdict: 'approved',
  decidedBy: 'user',
});

/** The run as a device leaves it that has vanished: whoever resumes it would run what was approved. */
async function interrupted(engine: Engine, id: string): Promise<EventBody> {
  const { events = [] } = (await engine.read(id)) ?? {};
  const run = events.findLast((event) => event.type === 'run.started');
  return run?.type === 'run.started'
    ? { type: 'run.ended', runId: run.runId, outcome: 'interrupted' }
    : expect.unreachable();
}

const heldOn = async (device: Device, id: string): Promise<readonly (readonly [string, HeldReason])[]> =>
  ((await lastSync(device, id))?.held ?? []).map(({ callId, why }) => [callId, why] as const);

/** Resumes the run on a device, as a person does who sees that it was interrupted. */
async function resumeOn(device: Device, id: string): Promise<void> {
  const session = await device.agent.openSession(id);
  if (session.getStatus() === 'interrupted') void Promise.resolve(session.resume()).catch(() => {});
  await settle(60_000);
}

describe('a decision of another device that is known', () => {
  test('counts: the device that asked runs the call', async () => {
    const { ann, bob, id, callId, session } = await createWaiting();
    const phone = await bob.agent.openSession(id);
    await phone.approve(callId, { drive: false });
    await settle(60_000);
    await syncAll(ann, bob);
    expect([ann.ran, bob.ran]).toEqual([[callId], []]);
    expect(session.getStatus()).toBe('idle');
    expect(await heldOn(ann, id)).toEqual([]);
    const said = (one: AgentSession) => one.getMessages().map(({ origin: _origin, ...message }) => message);
    expect(said(phone)).toEqual(said(session));
  });

  test('counts when that device drives the run, with an edited input', async () => {
    const { ann, bob, eve, id, callId, session } = await createWaiting();
    const phone = await bob.agent.openSession(id);
    await phone.approve(callId, { input: { amount: 3 } });
    await settle(60_000);
    await syncAll(ann, bob, eve);
    expect([ann.ran, bob.ran]).toEqual([[], [callId]]);
    expect(callOf(session)).toMatchObject({ status: 'succeeded', editedInput: { amount: 3 } });
    expect(await heldOn(ann, id)).toEqual([]);
  });

  test('keeps its signature when the run is stored again at its end, and on a device that comes later', async () => {
    const { engine, signers, create, ann, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId);
    await settle(60_000);
    await syncAll(ann, bob);
    const proofsIn = async (store: Pick<Engine, 'read'>) =>
      (await store.read(id))?.events.flatMap((event) => (event.type === 'approval.decided' ? [event.proof] : []));
    const [proof] = (await proofsIn(engine)) ?? [];
    expect(proof).toEqual({ device: signers.idOf('Bob'), signature: expect.any(String) });
    const cem = create('Cem');
    await syncAll(cem);
    for (const { local } of [ann, bob, cem]) expect(await proofsIn(local)).toEqual([proof]);
  });

  test('counts on a device that comes after the deciding one was removed, where the call has ended', async () => {
    const { signers, create, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId);
    await settle(60_000);
    await signers.remove('Bob');
    const cem = create('Cem');
    await syncAll(bob, cem);
    const session = await cem.agent.openSession(id);
    expect(callOf(session)).toMatchObject({ status: 'succeeded', approval: { verdict: 'approved' } });
    expect(await heldOn(cem, id)).toEqual([]);
  });
});

describe('a decision that no known device has signed', () => {
  test('is held when it is a proposal of an unknown device, and the person here can decide the same', async () => {
    const { ann, eve, id, callId, session } = await createWaiting();
    await (await eve.agent.openSession(id)).approve(callId, { drive: false, input: { amount: 3 } });
    await settle(60_000);
    await syncAll(ann);
    expect(ann.ran).toEqual([]);
    expect(callOf(session)).toMatchObject({ status: 'awaiting-approval' });
    const [held = expect.unreachable()] = (await lastSync(ann, id))?.held ?? [];
    expect(held).toEqual({
      callId,
      why: 'unknown-device',
      decision: { verdict: 'approved', input: { amount: 3 }, fingerprint: expect.any(String) },
    });
    await session.approve(held.callId, { input: held.decision.input ?? {} });
    await settle(60_000);
    expect(ann.ran).toEqual([callId]);
    expect(callOf(session)).toMatchObject({ status: 'succeeded', editedInput: { amount: 3 } });
    expect(await heldOn(ann, id)).toEqual([]);
  });

  test('leaves the run with the page that asked, which still takes the proposal of a known device', async () => {
    const { ann, bob, eve, id, callId } = await createWaiting();
    await (await eve.agent.openSession(id)).reject(callId, { drive: false });
    await settle(10_000);
    await syncAll(ann, bob);
    expect(await heldOn(bob, id)).toEqual([[callId, 'unknown-device']]);
    expect(await lastSync(ann, id)).not.toHaveProperty('asker');
    await bob.agent.getSession(id)?.approve(callId, { drive: false });
    await (await bob.agent.openSession(id)).approve(callId, { drive: false }).catch(() => {});
    await settle(60_000);
    expect([ann.ran, bob.ran]).toEqual([[callId], []]);
  });

  test('is held when an unknown device has decided, and what that device did is shown when it is done', async () => {
    const { ann, bob, eve, id, callId, session } = await createWaiting();
    await (await eve.agent.openSession(id)).approve(callId);
    await settle(60_000);
    await syncAll(eve, ann, bob);
    // Nobody can stop a device from what it does itself.
    expect([ann.ran, bob.ran, eve.ran]).toEqual([[], [], [callId]]);
    expect(callOf(session)).toMatchObject({ status: 'succeeded' });
    expect(await heldOn(ann, id)).toEqual([]);
  });

  test.each([
    ['unsigned', undefined],
    ['unknown-device', { device: 'Eve', signature: 'x' }],
    ['invalid', { device: 'Bob', signature: 'x' }],
  ] as const)('is held as %s when it is forged, and the call runs nowhere', async (why, proof) => {
    const { engine, signers, ann, bob, id, callId, session } = await createWaiting();
    const end = await interrupted(engine, id);
    const forged = proof && { proof: { ...proof, device: signers.idOf(proof.device) } };
    await forge(engine, id, [{ ...approved(callId), ...forged }, end]);
    await settle(60_000);
    await syncAll(ann, bob);
    for (const device of [ann, bob]) {
      await resumeOn(device, id);
      expect(await heldOn(device, id)).toEqual([[callId, why]]);
    }
    expect([ann.ran, bob.ran]).toEqual([[], []]);
    await session.approve(callId);
    await settle(60_000);
    expect(ann.ran).toEqual([callId]);
  });

  test('is not taken for the run of the device that it names', async () => {
    const { engine, ann, id, callId } = await createWaiting();
    await forge(engine, id, [approved(callId)]);
    await syncAll(ann);
    expect(await heldOn(ann, id)).toEqual([[callId, 'unsigned']]);
    expect(await lastSync(ann, id)).not.toHaveProperty('asker');
  });

  test('does not count when the tool, a rule or the time is said to have decided', async () => {
    for (const decidedBy of ['policy', 'rule', 'timeout'] as const) {
      const { engine, ann, bob, id, callId } = await createWaiting();
      await forge(engine, id, [{ ...approved(callId), decidedBy } as EventBody, await interrupted(engine, id)]);
      await settle(60_000);
      await syncAll(ann, bob);
      for (const device of [ann, bob]) await resumeOn(device, id);
      expect([ann.ran, bob.ran]).toEqual([[], []]);
    }
  });

  test('makes no approval rule, also where its call has ended', async () => {
    const { engine, ann, id, callId, session } = await createWaiting();
    await forge(engine, id, [
      { ...approved(callId), remember: 'session' } as EventBody,
      { type: 'call.started', callId, attempt: 1 },
      { type: 'call.ended', callId, outcome: 'succeeded', output: 'paid' },
    ]);
    await settle(60_000);
    await syncAll(ann);
    expect(callOf(session)).toMatchObject({ status: 'succeeded' });
    expect(session.getState().approvalRules).toEqual([]);
  });

  test('does not count when it says that the call has begun or ended, and the call has not', async () => {
    const { engine, ann, bob, id, callId } = await createWaiting();
    const end = await interrupted(engine, id);
    await forge(engine, id, [approved(callId), { type: 'call.ended', callId, outcome: 'succeeded', output: '' }, end]);
    await settle(60_000);
    await syncAll(ann, bob);
    for (const device of [ann, bob]) {
      await resumeOn(device, id);
      expect(await heldOn(device, id)).toEqual([[callId, 'unsigned']]);
    }
    expect([ann.ran, bob.ran]).toEqual([[], []]);
  });
});

describe('the signature of a known device', () => {
  /** Bob approves while Ann hears nothing; `change` makes of what he has sent what Ann then reads. */
  async function replay(change: (decision: SessionEvent, signers: Signers) => EventBody) {
    const stage = await createWaiting();
    const { engine, signers, ann, bob, id, callId, session } = stage;
    ann.connect(false);
    await (await bob.agent.openSession(id)).approve(callId, { drive: false, input: { amount: 3 } });
    await settle();
    bob.connect(false);
    const { events } = (await engine.read(id)) ?? expect.unreachable();
    const signed = events.find(({ type }) => type === 'approval.proposed') ?? expect.unreachable();
    await forge(engine, id, [change(signed, signers)], (event) => event !== signed);
    ann.connect(true);
    await settle(60_000);
    await syncAll(ann);
    expect(ann.ran).toEqual([]);
    expect(callOf(session)).toMatchObject({ status: 'awaiting-approval' });
    return { ...stage, held: await heldOn(ann, id) };
  }

  test.each<[string, (signed: Extract<SessionEvent, { type: 'approval.proposed' }>, signers: Signers) => EventBody]>([
    ['input', (signed) => ({ ...signed, proposal: { ...signed.proposal, input: { amount: 700 } } })],
    ['verdict', (signed) => ({ ...signed, proposal: { ...signed.proposal, verdict: 'rejected' } })],
    ['rule', (signed) => ({ ...signed, proposal: { ...signed.proposal, remember: 'session' } })],
    [
      'device',
      ({ proof, ...signed }, signers) => ({
        ...signed,
        proof: { signature: proof?.signature ?? '', device: signers.idOf('Ann') },
      }),
    ],
  ])('is not valid for another %s', async (_what, change) => {
    const { callId, held } = await replay((event, signers) =>
      event.type === 'approval.proposed' ? change(event, signers) : expect.unreachable(),
    );
    expect(held).toEqual([[callId, 'invalid']]);
  });

  test('is not valid for another call, for another input of the call, and in another session', async () => {
    const { engine, ann, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId, { drive: false });
    await settle();
    const { events } = (await engine.read(id)) ?? expect.unreachable();
    const signed = events.find(({ type }) => type === 'approval.proposed');
    expect(signed).toHaveProperty('proof');
    await settle(60_000);
    expect(ann.ran).toEqual([callId]);
    const other = 'other session';
    const copy = async (sessionId: string, change: (event: SessionEvent) => SessionEvent) => {
      const log = events.filter(({ seq }) => seq <= (signed?.seq ?? 0)).map(change);
      const { summary } = (await engine.read(id)) ?? expect.unreachable();
      await engine.write({
        sessionId,
        events: log.map((event) => (event.type === 'session.started' ? { ...event, sessionId } : event)),
        summary: { ...summary, id: sessionId, seq: log.at(-1)?.seq ?? 0, status: 'waiting' },
        expectedSeq: 0,
        writeId: `x/Eve:${sessionId}`,
        durability: 'relaxed',
      });
      await syncAll(ann);
      await settle();
      expect(await heldOn(ann, sessionId)).toEqual([[expect.any(String), 'invalid']]);
    };
    await copy(other, (event) => event);
    await copy('other input', (event) =>
      event.type === 'call.requested' ? { ...event, input: { amount: 700 } } : event,
    );
    await copy('other call', (event) => ('callId' in event ? { ...event, callId: 'another' } : event));
    expect(ann.ran).toEqual([callId]);
  });

  test('does not count once its device is removed', async () => {
    const { signers, ann, bob, id, callId, session } = await createWaiting();
    await signers.remove('Bob');
    await (await bob.agent.openSession(id)).approve(callId, { drive: false });
    await settle(60_000);
    await syncAll(ann);
    expect(ann.ran).toEqual([]);
    expect((await lastSync(ann, id))?.held).toMatchObject([{ callId, why: 'removed-device', device: 'Bob' }]);
    await session.reject(callId);
    await settle(60_000);
    expect(callOf(session)).toMatchObject({ status: 'rejected' });
  });

  test('does not bring back a call that has run, when its end is taken out of the log, at once or in two steps', async () => {
    for (const first of ['call.started', 'approval.proposed', 'call.requested'] as const) {
      const { engine, ann, bob, id, callId, session } = await createWaiting();
      await (await bob.agent.openSession(id)).approve(callId, { drive: false });
      await settle(60_000);
      await syncAll(ann, bob);
      expect(ann.ran).toEqual([callId]);
      const { events } = (await engine.read(id)) ?? expect.unreachable();
      const seqOf = (type: string): number => events.find((event) => event.type === type)?.seq ?? 0;
      const end = await interrupted(engine, id);
      await forge(engine, id, [{ type: 'session.renamed', title: 'Back' }], ({ seq }) => seq < seqOf(first));
      await syncAll(ann, bob);
      expect(session.getState().title).toBe('Back');
      const between = events.filter(({ seq }) => seq < seqOf('call.started') && seq >= seqOf(first));
      await forge(engine, id, [...between, end]);
      await settle(60_000);
      await syncAll(ann, bob);
      for (const device of [ann, bob]) await resumeOn(device, id);
      expect([ann.ran, bob.ran]).toEqual([[callId], []]);
      expect(session.getMessages().flatMap(toolParts)[0]?.status).not.toBe('approved');
    }
  });

  test('does not bring back a call that has run, when its decision comes later in the log than it was made', async () => {
    const { engine, ann, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId, { drive: false });
    await settle(60_000);
    await syncAll(ann, bob);
    const { events } = (await engine.read(id)) ?? expect.unreachable();
    const asked = events.find(({ type }) => type === 'approval.requested')?.seq ?? 0;
    const decided = events.find(({ type }) => type === 'approval.decided') ?? expect.unreachable();
    const end = await interrupted(engine, id);
    // Without its decision the call has begun in this log, and has not ended.
    await forge(engine, id, [{ type: 'call.started', callId, attempt: 1 }, end], ({ seq }) => seq <= asked);
    await settle();
    await syncAll(ann, bob);
    await forge(engine, id, [decided]);
    await settle(60_000);
    await syncAll(ann, bob);
    for (const device of [ann, bob]) await resumeOn(device, id);
    expect([ann.ran, bob.ran]).toEqual([[callId], []]);
  });

  test('does not count where another start stands for the one that was taken out, and the end of the call is known here alone', async () => {
    const { engine, ann, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId, { drive: false });
    await settle(60_000);
    await syncAll(ann, bob);
    const { events: mine } = (await engine.read(id)) ?? expect.unreachable();
    const seqOf = (type: string): number => mine.find((event) => event.type === type)?.seq ?? expect.unreachable();
    const forged: EventBody = { type: 'call.started', callId, attempt: 1 };
    const decided = mine.find(({ type }) => type === 'approval.decided') ?? expect.unreachable();
    const asked = seqOf('approval.requested');
    const after = [forged, await interrupted(engine, id), decided].map((event, index): SessionEvent => ({
      at: 77,
      v: 2,
      ...event,
      seq: asked + 1 + index,
    }));
    const theirs = [...mine.filter(({ seq }) => seq <= asked), ...after];
    const agreed = seqOf('call.started');
    const vetted = await vet({ sessionId: id, theirs, mine, from: 0, agreed, spent: [] }, async () => ({
      device: 'Bob',
    }));
    expect(vetted.spent).toEqual([callId]);
    expect(vetted.events.at(-1)?.type).toBe('event.dropped');
  });

  test('is used once: a copy of it does not run a call whose end nobody knows', async () => {
    const { engine, create, ann, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId, { drive: false });
    await settle(60_000);
    expect(ann.ran).toEqual([callId]);
    await syncAll(ann, bob);
    const { events } = (await engine.read(id)) ?? expect.unreachable();
    const started = events.find(({ type }) => type === 'call.started')?.seq ?? 0;
    const decided = events.filter(({ type }) => type === 'approval.decided' || type === 'approval.proposed');
    const end = await interrupted(engine, id);
    await forge(engine, id, [end, ...decided], ({ seq }) => seq <= started);
    // A device that has not had the session before cannot know that the call has ended.
    const carl = create('Carl');
    await syncAll(carl);
    await resumeOn(carl, id);
    expect(carl.ran).toEqual([]);
    expect(decided.length).toBeGreaterThan(0);
  });

  test('is used once: a copy of the call with its decision does not run', async () => {
    const { engine, ann, bob, id, callId } = await createWaiting();
    await (await bob.agent.openSession(id)).approve(callId, { drive: false });
    await settle(60_000);
    await syncAll(ann, bob);
    const { events } = (await engine.read(id)) ?? expect.unreachable();
    const from = events.findIndex(({ type }) => type === 'run.started');
    const upTo = events.findIndex(({ type }) => type === 'call.started');
    const again = events.slice(from, upTo);
    await forge(engine, id, [{ type: 'session.cleared' }, ...again, await interrupted(engine, id)]);
    await settle(60_000);
    await syncAll(ann, bob);
    for (const device of [ann, bob]) await resumeOn(device, id);
    expect([ann.ran, bob.ran]).toEqual([[callId], []]);
  });
});
