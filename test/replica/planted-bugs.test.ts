import { expect, test } from 'vitest';
import { catchBug } from '../simulation/catch-bug.ts';
import { readWitnesses } from '../support/witnesses.ts';
import { bugs } from './bugs.ts';
import { planOf } from '../../src/sync/replica/plan.ts';
import { readSides, type Sides } from '../../src/sync/replica/sides.ts';
import { withMutant } from '../support/mutant.ts';
import { bugs as hostile } from './hostile-bugs.ts';
import { all as pairs, createWorld, id } from './table.ts';

const seeds = 100;
const witnesses = readWitnesses('test/replica/witnesses.json');

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a retry takes its own half-made fork for done': 260,
  'the signature is checked, but not the call': 150,
  'what has begun is forgotten where the page ends before both sides are noted': 2400,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(12);
});

/** Met once in some hundred seeds: two logs that diverge beside a fork that is done have to catch it. */
const overwritten = 'a fork that is done is overwritten by the next one';

/** Returns two logs that diverge, and beside them a fork that is done. */
async function besideDone(): Promise<Sides> {
  for (const pair of pairs) {
    const sides = await readSides(id, (await createWorld(pair)).env, false, true);
    if (planOf(sides).do !== 'fork' || sides.here.is !== 'log') continue;
    return { ...sides, fork: { id: 'done', state: { ...sides.here, isUntouchedFork: true }, isNeeded: false } };
  }
  return expect.unreachable('no pair diverges');
}

test(`${overwritten} is caught by two logs that diverge beside it`, { timeout: 120_000 }, async () => {
  const sides = await besideDone();
  expect(planOf(sides)).toMatchObject({ do: 'fork', keptAs: 'done' });
  await withMutant('/src/sync/replica/plan.ts', bugs[overwritten] ?? [], async (loaded) => {
    if (typeof loaded.planOf !== 'function') throw new TypeError('The module has no `planOf`.');
    expect(Reflect.apply(loaded.planOf, undefined, [sides])).toMatchObject({ do: 'fork', begun: { id: 'done' } });
  });
});

const { [overwritten]: _overwritten, ...met } = bugs;

const all = [
  ...Object.entries(met).map(([name, changes]) => ({ name, changes, play: 'replica' })),
  ...Object.entries(hostile).map(([name, changes]) => ({ name, changes, play: 'hostile' })),
];

test.each(all)(`$name is caught within ${seeds} seeds`, { timeout: 240_000 }, (bug) =>
  catchBug({ ...bug, seeds, last: rare[bug.name] }, witnesses),
);
