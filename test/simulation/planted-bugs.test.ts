import { expect, test } from 'vitest';
import { readWitnesses } from '../support/witnesses.ts';
import { bugs } from './bugs/index.ts';
import { catchBug } from './catch-bug.ts';

const seeds = 50;
const witnesses = readWitnesses('test/simulation/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a flush of a lost run resolves': 378,
  'a prompt that was stored after all is sent again': 591,
  'a step follows from a state without its newest message': 153,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 120_000 }, (name, changes) =>
  catchBug({ name, changes, seeds, last: rare[name] }, witnesses),
);
