import { expect, test } from 'vitest';
import { readWitnesses } from '../support/witnesses.ts';
import { bugs } from './bugs/index.ts';
import { catchBug } from './catch-bug.ts';

const seeds = 50;
const witnesses = readWitnesses('test/simulation/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a call that ran when its run was cut off stays started': 80,
  'a follower ends the run of a living tab': 200,
  'a message that was stored after all is added again': 60,
  'a step follows from a decision that is being stored': 3_120,
  'a step follows from a state without its newest message': 153,
  'an exclusive call starts beside others': 90,
  'a call that was edited does not run': 70,
  'no tab hears of changes': 220,
  'the events of a run are kept after its end': 170,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 120_000 }, (name, changes) =>
  catchBug({ name, changes, seeds, last: rare[name] }, witnesses),
);
