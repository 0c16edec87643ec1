import { expect, test } from 'vitest';
import { readWitnesses } from '../../support/witnesses.ts';
import { catchBug } from '../catch-bug.ts';
import { bugs } from './bugs.ts';

const seeds = 50;
const witnesses = readWitnesses('test/simulation/tree/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(12);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 240_000 }, (name, changes) =>
  catchBug({ name, changes, seeds, last: rare[name], play: 'tree' }, witnesses),
);
