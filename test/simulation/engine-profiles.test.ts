// What an engine does with the transactions of a page that is left: `npm run test:engines` repeats the same rows in the engines themselves.
import 'fake-indexeddb/auto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRowPage, type RowPage, type State } from '../engines/idb-rows/page.ts';
import { outcomeOf, type Row, rows } from '../engines/idb-rows/rows.ts';
import { createEngine, type EngineName, engineNames } from '../support/engine-profiles/index.ts';
import { createDevice, type Device } from './device.ts';
import { randomOf } from './random.ts';
import { windowEvent } from './virtual-globals.ts';
import { createVirtualTime } from './virtual-time.ts';

afterEach(() => vi.unstubAllGlobals());

interface Shown {
  readonly device: Device;
  readonly page: RowPage;
}

/** One browser with virtual tabs, whose database takes a while for each step. */
function createBrowser(name: EngineName, seed: number) {
  const random = randomOf(seed);
  const thrown: unknown[] = [];
  const time = createVirtualTime((error) => thrown.push(error));
  let last = 0;
  vi.stubGlobal('setImmediate', (task: () => void) => {
    last = Math.max(last, time.now() + random.below(2));
    time.after(last - time.now(), task);
  });
  const engine = createEngine(name, random);

  return {
    random,
    time,
    engine,
    thrown,
    open(): Shown {
      const page = engine.open({ enter: (task) => task(), onDropped: () => device.kill() });
      const device = createDevice('tab', time, { page });
      const window = {
        indexedDB: page.indexedDB,
        addEventListener: (type: string, listener: () => void) => void device.listen(windowEvent(type), listener),
        setTimeout: (task: () => void, ms: number) => device.schedule(ms, task),
      };
      return { device, page: createRowPage(window, 'rows', 10) };
    },
    /** Lets time pass until a promise settles. */
    async settled<T>(promise: Promise<T>): Promise<T> {
      const progress: { readonly settled?: true }[] = [{}];
      promise.finally(() => progress.push({ settled: true })).catch(() => {});
      for (let turn = 0; turn < 1_000 && !progress.at(-1)?.settled; turn++) await time.pass(20);
      if (!progress.at(-1)?.settled) throw new Error('The promise does not settle.');
      return promise;
    },
  };
}

/** Plays a row, and returns what is found afterwards, and what the page has heard. */
async function play({ setup, way }: Row, engine: EngineName, seed: number) {
  const browser = createBrowser(engine, seed);
  const { random, time, settled } = browser;
  const { device, page } = browser.open();
  await settled(page.prepare(setup));
  if (setup.moment === 'stream') await time.pass(random.between(0, 60));
  if (way === 'reload') device.leave();
  else device.putAside();
  await time.pass(100);
  if (way === 'back' && device.isAlive()) device.comeBack();
  const after = way === 'back' && device.isAlive() ? page : browser.open().page;
  const state = await settled(after.look(4_000));
  expect(browser.thrown).toEqual([]);
  return { state: outcomeOf(setup, state), heard: after.heard() };
}

/** Seeds of a row, at least, and at most where its outcomes are several. */
const [fewest, most] = [8, 80];

describe.each(engineNames)('%s', (engine) => {
  test.each(rows)('$name', async (row) => {
    const found = new Set<State>();
    for (let seed = 1; seed <= fewest || (seed <= most && found.size < row.outcomes[engine].length); seed++) {
      const { state, heard } = await play(row, engine, seed);
      found.add(state);
      if (row.heard) expect(heard).toBe(row.heard[engine]);
    }
    expect([...found].toSorted()).toEqual([...row.outcomes[engine]].toSorted());
  });
});
