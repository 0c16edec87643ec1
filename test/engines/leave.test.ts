import { describe, expect, it } from 'vitest';
import { during } from '../e2e/support/stage.ts';
import type { Engine } from './support/engine.ts';
import { type Found, type Leave, type Pages, play, playFloor, toLeave } from './support/leaving.ts';
import { NeverAsked, startModelServer } from './support/model-server.ts';
import { servePage } from './support/site.ts';
import type { Leaves } from '../../scripts/engine-results.mjs';
import { engines, startEngine } from './support/start-engine.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What scripts/engine-results.mjs records. */
    leaves?: Leaves;
  }
}

/** `ENGINE_LEAVES=400 ENGINE_SEED=1` plays the leaves of the seeds from 1 to 400 in each engine. One leave again: `ENGINE_LEAVES=1 ENGINE_SEED=17`. */
const count = Number(process.env.ENGINE_LEAVES ?? 40);
const firstSeed = Number(process.env.ENGINE_SEED ?? 1);

const chat = servePage('chat');
const floor = servePage('floor');
const model = during(startModelServer, (its) => its.stop());

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

const summary = (lost: readonly number[]): string =>
  `p50 ${quantile(lost, 0.5)} ms, p90 ${quantile(lost, 0.9)} ms, most ${quantile(lost, 1)} ms`;

const named = ({ leave }: Found, what: string): string =>
  `seed ${leave.seed} (${leave.way}${leave.isEncrypted ? ', encrypted' : ''}${leave.hasWitness ? ', with a second tab' : ''}): ${what}`;

/** Plays the leaves one by one. A browser whose database is blocked is replaced: it would fail all leaves that follow. */
async function playAll(name: (typeof engines)[number], its: Pages) {
  const found: Found[] = [];
  const floorLost: number[] = [];
  let engine: Engine = await startEngine(name);
  const { version } = engine;
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const leave: Leave = toLeave(seed);
      const one = await play(engine, its, leave).catch(async (thrown: unknown) => {
        // The page was not left: the leave is played once more, in another browser.
        if (!(thrown instanceof NeverAsked)) throw thrown;
        console.info(`${name}, seed ${seed}, is played again: ${thrown.message}`);
        await engine.close();
        engine = await startEngine(name);
        return play(engine, its, leave);
      });
      found.push(one);
      const byHand = await playFloor(engine, its, leave).catch(() => undefined);
      if (byHand !== undefined) floorLost.push(byHand);
      if (byHand === undefined || one.isBlocked || one.problems.length > 0) {
        await engine.close();
        engine = await startEngine(name);
      }
    }
  } finally {
    await engine.close();
  }
  return { version, found, floorLost };
}

describe.each(engines)('a page that is left at a random moment, in %s', (name) => {
  it(
    `loses no session and no acknowledged event, and goes on (seeds ${firstSeed} to ${firstSeed + count - 1})`,
    async ({ task }) => {
      const { version, found, floorLost } = await playAll(name, { chat: chat(), floor: floor(), model: model() });

      const inStream = found.filter(({ isInStream }) => isInStream);
      const lost = found.filter(({ isSessionLost }) => isSessionLost);
      const blocked = found.filter(({ isBlocked }) => isBlocked);
      const events = found.flatMap((one) => one.eventsLost.map((what) => named(one, what)));
      const textLost = inStream.flatMap(({ textLost }) => textLost ?? []);
      console.info(
        `${name} ${version}: ${found.length} leaves, ${inStream.length} in a stream, ${lost.length} sessions lost, ${blocked.length} blocked, ` +
          `${events.length} with events lost, ${found.filter(({ fromCache }) => fromCache).length} out of the page cache; ` +
          `text lost: ${summary(textLost)}; by hand: ${summary(floorLost)}`,
      );

      task.meta.leaves = {
        version,
        count: found.length,
        inStream: inStream.length,
        sessionsLost: lost.length,
        blocked: blocked.length,
        eventsLost: events.length,
        textLost: quantile(textLost, 0.9),
        textLostByHand: quantile(floorLost, 0.9),
      };

      expect({
        lost: lost.map((one) => named(one, 'the session is gone')),
        events,
        problems: found.flatMap((one) => one.problems.map((what) => named(one, what))),
      }).toEqual({ lost: [], events: [], problems: [] });
      expect(floorLost.length).toBeGreaterThanOrEqual(Math.floor(count * 0.75));
      expect(inStream.length).toBeGreaterThanOrEqual(Math.floor(count * 0.75));
    },
    120_000 + count * 60_000,
  );
});
