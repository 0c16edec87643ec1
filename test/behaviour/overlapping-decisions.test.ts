import { AgentError, createAgent, type SessionStore } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { expect, test, vi } from 'vitest';
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
const threeAnswers = outcomes.flatMap((a) => outcomes.flatMap((b) => outcomes.map((c) => [a, b, c] as const)));

test.each(Object.entries(later))(
  'an approval and, a little later, an %s: each is stored or taken back, whichever writes the store refuses',
  async (_name, decide) => {
    for (const answers of threeAnswers)
      for (let turns = 0; turns < 14; turns++) {
        const its = await stage();
        const { session } = its;
        const about = `${answers.join(', ')}; ${turns} turns between`;
        const ids = callsOf(session).map(({ callId }) => callId);
        const [first = '', second = ''] = ids;
        its.answers.push(...answers);
        const deciding = [session.approve(first)];
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        deciding.push(decide(session, second));
        const results = await Promise.allSettled(deciding);
        const isTaken = results.map(({ status }) => status === 'fulfilled');
        await settled();
        its.answers.length = 0;
        its.ports.pass(60_000);
        await session.flushed();

        const events = await its.stored();
        const of = (type: string, callId: string): number =>
          events.findIndex((event) => event.type === type && 'callId' in event && event.callId === callId);
        expect(
          ids.map((callId) => of('approval.decided', callId) >= 0),
          about,
        ).toEqual(isTaken);
        expect(
          statusesOf(session).map((status) => status !== 'awaiting-approval'),
          about,
        ).toEqual(isTaken);
        for (const callId of ids) {
          const begun = of('call.started', callId);
          if (begun >= 0) expect(of('approval.decided', callId), about).toBeLessThan(begun);
          if (begun >= 0) expect(of('approval.decided', callId), about).toBeGreaterThanOrEqual(0);
        }

        // What was taken back can be decided again.
        for (const [index, callId] of ids.entries()) if (!isTaken[index]) await session.approve(callId);
        await settled();
        const rejected = callsOf(session).filter(({ status }) => status === 'rejected');
        const ran = its.runs.map(([, { callId }]) => callId);
        expect(new Set(ran).size, about).toBe(ran.length);
        // A run whose call could not be recorded as started has ended, and no call of it runs.
        const hasFailed = (await its.stored()).some((event) => event.type === 'run.ended');
        if (!hasFailed) expect(ran, about).toHaveLength(2 - rejected.length);
      }
  },
);
