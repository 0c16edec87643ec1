import { AgentError, createAgent, type SessionStore } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callsOf, recorded, statusesOf } from '../support/stage.ts';

const full = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });

/** A session in which two calls wait for a person. The store answers its next writes in the order of `answers`, and takes all later ones. */
async function stage() {
  const store = createMemoryStore();
  const answers: ('taken' | 'refused')[] = [];
  const uneven: SessionStore = {
    ...store,
    async write(write) {
      // The answer of a disk takes its time.
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
      if (answers.shift() === 'refused') throw full;
      await store.write(write);
    },
  };
  const { tool, runs } = recorded('pay', { needsApproval: true });
  const client = createManualClient();
  const ports = createManualPorts('tab');
  const session = await (async () => {
    const agent = createAgent({ client, store: uneven, tools: [tool], ports });
    return agent.openSession(agent.createSession());
  })();
  await ask({ session, client }, ['pay', '{}'], ['pay', '{}']);
  await vi.dynamicImportSettled();
  await session.flushed();
  const stored = async () => (await store.read(session.id))?.events ?? [];
  return { session, runs, answers, ports, stored };
}

const later = {
  approval: (session, callId) => session.approve(callId),
  'edited approval': (session, callId) => session.approve(callId, { input: { sum: 1 } }),
  rejection: (session, callId) => session.reject(callId),
} satisfies Record<string, (session: Awaited<ReturnType<typeof stage>>['session'], callId: string) => Promise<void>>;

const outcomes = ['taken', 'refused'] as const;
/** What the store answers to its next writes, and how many turns after the first decision the second one is taken. */
const cases = outcomes.flatMap((a) =>
  outcomes.flatMap((b) =>
    outcomes.flatMap((c) => Array.from({ length: 14 }, (_, turns) => ({ answers: [a, b, c] as const, turns }))),
  ),
);

describe.each(Object.entries(later))('an approval and, a little later, an %s', (_name, decide) => {
  test.each(cases)('are stored or taken back, each, where the store says $answers, $turns turns apart', async (one) => {
    const its = await stage();
    const { session } = its;
    const ids = callsOf(session).map(({ callId }) => callId);
    const [first = '', second = ''] = ids;
    its.answers.push(...one.answers);
    const deciding = [session.approve(first)];
    for (let turn = 0; turn < one.turns; turn++) await Promise.resolve();
    deciding.push(decide(session, second));
    const isTaken = (await Promise.allSettled(deciding)).map(({ status }) => status === 'fulfilled');
    await settled();
    its.answers.length = 0;
    its.ports.pass(60_000);
    await session.flushed();

    const events = await its.stored();
    const placeOf = (type: string, callId: string): number =>
      events.findIndex((event) => event.type === type && 'callId' in event && event.callId === callId);
    const places = ids.map((callId) => placeOf('approval.decided', callId));
    expect(places.map((place) => place >= 0)).toEqual(isTaken);
    expect(statusesOf(session).map((status) => status !== 'awaiting-approval')).toEqual(isTaken);
    // A call begins after its decision is stored, if at all.
    const begun = ids.map((callId) => placeOf('call.started', callId));
    expect(begun.every((place, index) => place < 0 || (isTaken[index] && place > (places[index] ?? 0)))).toBe(true);

    // What was taken back can be decided again.
    for (const [index, callId] of ids.entries()) if (!isTaken[index]) await session.approve(callId);
    await settled();
    const rejected = callsOf(session).filter(({ status }) => status === 'rejected');
    const ran = its.runs.map(([, { callId }]) => callId);
    expect(new Set(ran).size).toBe(ran.length);
    // A run whose call could not be recorded as started has ended, and no call of it runs.
    const hasFailed = (await its.stored()).some(({ type }) => type === 'run.ended');
    expect(ran.length === 2 - rejected.length || hasFailed).toBe(true);
  });
});
