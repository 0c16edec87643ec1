import { expect, test } from 'vitest';
import { catchBug } from '../simulation/catch-bug.ts';
import { readWitnesses } from '../support/witnesses.ts';
import { bugs } from './bugs.ts';
import { bugs as hostile } from './hostile-bugs.ts';

const seeds = 100;
const witnesses = readWitnesses('test/replica/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a retry takes its own half-made fork for done': 150,
  'what has begun is forgotten where the page ends before both sides are noted': 780,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(12);
});

const all = [
  ...Object.entries(bugs).map(([name, changes]) => ({ name, changes, play: 'replica' })),
  ...Object.entries(hostile).map(([name, changes]) => ({ name, changes, play: 'hostile' })),
];

test.each(all)(`$name is caught within ${seeds} seeds`, { timeout: 240_000 }, (bug) =>
  catchBug({ ...bug, seeds, last: rare[bug.name] }, witnesses),
);
