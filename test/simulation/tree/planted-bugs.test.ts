import { expect, test } from 'vitest';
import { readWitnesses } from '../../support/witnesses.ts';
import { catchBug } from '../catch-bug.ts';
import { bugs } from './bugs.ts';

const seeds = 50;
const witnesses = readWitnesses('test/simulation/tree/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a session that has completed runs again': 105,
  'a tab that was late says the prompt again': 200,
  'a run that ends leaves its calls at work': 126,
  'a stop in another tab leaves what is below': 312,
  'a stop is lost where another tab has taken over the run': 89,
  'what a cancelled call has left goes on': 1078,
  'a call that was stopped does not count': 84,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(12);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 240_000 }, (name, changes) =>
  catchBug({ name, changes, seeds, last: rare[name], play: 'tree' }, witnesses),
);
