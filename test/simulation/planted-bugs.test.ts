import { expect, test } from 'vitest';
import { next as soundNext } from '../../src/core/model/next.ts';
import { initialState } from '../../src/core/model/state.ts';
import { evolve } from '../../src/core/model/evolve.ts';
import { withMutant } from '../support/mutant.ts';
import { readWitnesses } from '../support/witnesses.ts';
import { bugs } from './bugs/index.ts';
import { catchBug } from './catch-bug.ts';

const seeds = 50;
const witnesses = readWitnesses('test/simulation/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a call that ran when its run was cut off stays started': 190,
  'a follower ends the run of a living tab': 520,
  'a message that was stored after all is added again': 60,
  'a summary is requested without the lease': 130,
  'a step follows from a state without its newest message': 260,
  'an exclusive call starts beside others': 90,
  'a call that was edited does not run': 70,
  'no tab hears of changes': 220,
  'other calls start beside an exclusive one': 80,
  'the promise of a message that steered elsewhere never settles': 130,
  'what another tab queues ends the run': 90,
  'the events of a run are kept after its end': 140,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

/** Met once in some 3,000 seeds: the case of `test/core/model/next.test.ts` that is about it has to catch it. */
const held = 'a step follows from a decision that is being stored';

test(`${held} is caught by the case of a call that is held`, { timeout: 120_000 }, async () => {
  const bodies = [
    { type: 'session.started', sessionId: 's' },
    { type: 'message.added', message: { id: 'u', role: 'user', content: [], timestamp: 0 } },
    { type: 'run.started', runId: 'r' },
    { type: 'reply.started', messageId: 'm' },
    { type: 'call.requested', callId: '1', name: 'pay', inputText: '{}', input: {} },
    { type: 'reply.ended', finish: 'tool-calls' },
    { type: 'approval.decided', callId: '1', decidedBy: 'user', verdict: 'approved' },
  ] as const;
  const state = bodies.reduce(
    (before, body, index) => evolve(before, { ...body, seq: index + 1, at: 0, v: 2 }),
    initialState('s'),
  );
  const policy = { maxSteps: 1, isHeld: (callId: string) => callId === '1' };
  expect(soundNext(state, policy)).toEqual({ do: 'wait' });
  await withMutant('/src/core/model/next.ts', bugs[held] ?? [], async ({ next }) => {
    if (typeof next !== 'function') throw new TypeError('The module has no `next`.');
    expect(Reflect.apply(next, undefined, [state, policy])).toMatchObject({ do: 'execute' });
  });
});

const { [held]: _held, ...met } = bugs;

test.each(Object.entries(met))(`%s is caught within ${seeds} seeds`, { timeout: 120_000 }, (name, changes) =>
  catchBug({ name, changes, seeds, last: rare[name] }, witnesses),
);
