import { describe, expect, it } from 'vitest';
import { during } from '../e2e/support/stage.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('locks');
/** An engine in which a request for a lock comes late does so in some runs only: WebKitGTK in 1 to 26 of 400. */
const runs = 60;

describe.each(engines)('the locks of sessions in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  it(
    'belong to the page that has begun a run, also where another page reads the run at once',
    { timeout: 120_000 },
    async () => {
      const [owner, watcher] = [await engine().open(), await engine().open()];
      for (const tab of [owner, watcher]) await tab.goto(site());
      await watcher.run(() => globalThis.watch());
      await owner.run((count) => globalThis.own(count), runs);
      expect(await watcher.run(() => globalThis.seen)).toEqual({ runs, taken: 0 });
    },
  );
});
