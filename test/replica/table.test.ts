import { AgentError } from 'brooklet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Plan, planOf } from '../../src/sync/replica/plan.ts';
import { readSides, type Sides } from '../../src/sync/replica/sides.ts';
import { syncSession } from '../../src/sync/replica/sync-session.ts';
import { installImmediateCrypto } from '../support/immediate-crypto.ts';
import {
  agreedLog,
  all,
  type Case,
  contentOf,
  createWorld,
  forms,
  id,
  idOf,
  isGone,
  isRemoval,
  logs,
  problemsOf,
  walk,
} from './table.ts';

let restoreCrypto = (): void => {};
beforeAll(() => void (restoreCrypto = installImmediateCrypto()));
afterAll(() => restoreCrypto());

describe('every pair of sides', () => {
  test('is many pairs', () => {
    expect(all.length).toBeGreaterThan(1_000);
  });

  test('is read without a change', async () => {
    const found = await walk(all, async (one) => {
      const world = await createWorld({ ...one, guard: 'signed' });
      const before = await contentOf(world);
      for (const isWhole of [false, true]) planOf(await readSides(id, world.env, false, isWhole));
      return before === (await contentOf(world)) && world.changes === 0 ? [] : ['reading has changed what is stored'];
    });
    expect(found).toEqual([]);
  });

  test.each(forms)('is brought in step, and nothing is lost: origin in %s', async (form) => {
    const found = await walk(all, async (one) => {
      const world = await createWorld({ ...one, form });
      await syncSession(id, world.env, false);
      return problemsOf(one, world);
    });
    expect(found).toEqual([]);
  });

  test('is brought in step where the page ends before any change', async () => {
    const found = await walk(all, async (one) => {
      const problems: string[] = [];
      for (let nth = 0; ; nth++) {
        const world = await createWorld(one);
        world.failsFrom = nth;
        const isDone = await syncSession(id, world.env, false).then(
          () => true,
          () => false,
        );
        if (isDone) return problems;
        world.failsFrom = Infinity;
        await syncSession(id, world.env, false);
        problems.push(...(await problemsOf(one, world)).map((problem) => `${problem} (cut at change ${nth})`));
      }
    });
    expect(found).toEqual([]);
  });
});

describe('a removal on the remote store', () => {
  const removals = all.filter((one) => isGone(one.there) && isRemoval(one));

  test('removes an untouched session here where a known device has signed it', async () => {
    expect(removals.length).toBeGreaterThan(3);
    const found = await walk(removals, async (one) => {
      const world = await createWorld({ ...one, guard: 'signed' });
      await syncSession(id, world.env, false);
      return problemsOf(one, world);
    });
    expect(found).toEqual([]);
  });

  test('changes nothing where no known device has signed it', async () => {
    const found = await walk(removals, async (one) => {
      const world = await createWorld({ ...one, guard: 'unsigned' });
      const before = await contentOf(world);
      const thrown = await syncSession(id, world.env, false).catch((error: unknown) => error);
      const isRefused = thrown instanceof AgentError && thrown.code === 'STORAGE_CORRUPT';
      return isRefused && before === (await contentOf(world)) ? [] : [`not refused: ${String(thrown)}`];
    });
    expect(found).toEqual([]);
  });

  test('does not remove what a device has written since, signed or not', async () => {
    const others = all.filter((one) => isGone(one.there) && logs[one.here] !== undefined && !isRemoval(one));
    const found = await walk(others, async (one) => {
      const world = await createWorld({ ...one, guard: 'unsigned' });
      await syncSession(id, world.env, false);
      return problemsOf(one, world);
    });
    expect(found).toEqual([]);
  });
});

test('a removal by this device is signed before it is stored there', async () => {
  const world = await createWorld({ here: 'removed', there: 'same', base: 'same', guard: 'signed' });
  await syncSession(id, world.env, false);
  const vetted = await world.env.devices?.removals?.vet(id, {
    seq: 3,
    writeId: idOf('both', 'there', agreedLog).writeId,
  });
  expect(vetted).toBeUndefined();
});

describe('a plan', () => {
  const readPlan = async (one: Case, change: (sides: Sides) => Sides = (sides) => sides): Promise<Plan> =>
    planOf(change(await readSides(id, (await createWorld(one)).env, false, false)));

  test.each([
    [{ here: 'same', there: 'same', base: 'same' }, 'rest'],
    [{ here: 'same', there: 'same', base: 'none' }, 'note'],
    [{ here: 'missing', there: 'missing', base: 'same' }, 'forget-base'],
    [{ here: 'mark', there: 'same', base: 'same' }, 'finish-removal'],
    [{ here: 'row', there: 'removed', base: 'none' }, 'drop-row'],
    [{ here: 'row', there: 'same', base: 'none' }, 'write-here'],
    [{ here: 'removed', there: 'mark', base: 'none' }, 'rest'],
    [{ here: 'removed', there: 'old mark', base: 'none' }, 'forget-mark'],
    [{ here: 'removed', there: 'same', base: 'same' }, 'remove'],
    [{ here: 'same', there: 'mark', base: 'same' }, 'remove'],
    [{ here: 'a message more', there: 'same', base: 'same' }, 'write-there'],
    [{ here: 'same', there: 'a message more', base: 'same' }, 'write-here'],
    [{ here: 'a message more', there: 'another message more', base: 'same' }, 'read-whole'],
    [{ here: 'a message more', there: 'another message more', base: 'none' }, 'fork'],
  ] as const)('for %j is %s', async (one, does) => {
    expect((await readPlan(one)).do).toBe(does);
  });

  test('for a damaged log here is to refuse it', async () => {
    const plan = await readPlan({ here: 'same', there: 'a message more', base: 'same' }, (sides) => ({
      ...sides,
      here: sides.here.is === 'log' ? { ...sides.here, stored: { ...sides.here.stored, damage: 'a gap' } } : sides.here,
    }));
    expect(plan).toEqual({ do: 'refuse', why: 'damaged', detail: 'a gap' });
  });

  test('notes what is spent before anything is stored', async () => {
    const vetted = { events: [], held: [], isOpen: false, spent: ['call'] };
    const plan = await readPlan({ here: 'same', there: 'a message more', base: 'same' }, (sides) => ({
      ...sides,
      vetted,
    }));
    expect(plan).toMatchObject({ do: 'note-spent', base: { seq: 3, spent: ['call'] } });
  });
});
