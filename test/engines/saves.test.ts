import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { during } from '../e2e/support/stage.ts';
import { serveSources } from './support/robot/dev-server.ts';
import { samples } from './support/robot/samples.ts';
import { removeProjects } from './support/robot/site.ts';
import { soon } from './support/robot/soon.ts';
import { startVisit, type Visit } from './support/robot/visit.ts';
import { engines, startEngine } from './support/start-engine.ts';

// A developer saves the files of a sample one after the other, under Vite's development server, in the middle of an answer.

afterAll(removeProjects);

const played = samples.filter(({ name }) => ['README: Chat', 'template react', 'template plain'].includes(name));

/** What a save does to a page. `loads` and `updates` are counted by the page itself. */
const stateOf = ({ hands }: Visit): Promise<readonly [loaded: number, updates: number]> =>
  hands.tab
    .run(() => [performance.timeOrigin, (globalThis as { updates?: number }).updates ?? -1] as const)
    .catch(() => [0, -1] as const);

const keyField = { role: 'textbox', name: /API key/u } as const;

for (const name of engines) {
  describe(`in ${name}`, () => {
    const engine = during(
      () => startEngine(name),
      (its) => its.close(),
    );
    describe.each(played)('$name', (sample) => {
      it('loses nothing at a save of any file, ends no run by a change of its view, and asks for a key once', async () => {
        const site = await serveSources(sample.project);
        const visit = await startVisit(engine(), sample, site);
        const { hands, field, model } = visit;
        try {
          const files = site.listFiles();
          expect(files.length).toBeGreaterThan(2);
          for (const [index, file] of files.entries()) {
            const question = `Question ${index}?`;
            const asked = await visit.ask(question, `Answer ${index} `);
            const before = await stateOf(visit);
            const path = join(site.folder, file);
            writeFileSync(path, `${readFileSync(path, 'utf8')}\n/* saved */\n`);
            // Either the page is exchanged in part, or it is loaded again.
            await soon(async () => {
              const [loaded, updates] = await stateOf(visit);
              return (loaded > 0 && loaded !== before[0] && updates >= 0) || updates > before[1];
            }).toBe(true);
            const isReloaded = (await stateOf(visit))[0] !== before[0];
            const isView = /\.css$|App\.tsx$/u.test(file);
            expect({ file, isReloaded: isView && isReloaded }).toEqual({ file, isReloaded: false });
            if (isReloaded || (await hands.has(keyField))) {
              // A key in memory is gone with the page, or with the agent, that had it.
              expect({ file, isView }).toEqual({ file, isView: false });
              await visit.settle();
            }
            await soon(() => hands.has(field)).toBe(true);
            await visit.seesOnce(question);
            if (asked.isOpen() && !isReloaded) {
              asked.write('goes on.');
              asked.end();
              await visit.seesOnce(`Answer ${index} goes on.`);
            } else {
              expect({ file, isView }).toEqual({ file, isView: false });
              await hands.click(visit.again).catch(() => {});
              const next = await visit.request(model.asked.indexOf(asked) + 1);
              next.write(`ended ${index}.`);
              next.end();
              await visit.seesOnce(`ended ${index}.`);
            }
            await soon(visit.isIdle).toBe(true);
          }
          const shown = await hands.read();
          for (const index of files.keys()) expect(shown).toContain(`Question ${index}?`);
        } catch (error) {
          const shown = await hands.read();
          throw new Error(`${String(error)}\nThe page shows:\n${shown}`, { cause: error });
        } finally {
          await visit.end();
        }
      });
    });
  });
}
