import { afterAll, describe, expect, it } from 'vitest';
import { during } from '../e2e/support/stage.ts';
import { type Act, acts } from './support/robot/acts.ts';
import type { Control } from './support/robot/hands.ts';
import { type Ability, type Sample, samples } from './support/robot/samples.ts';
import { removeProjects, serveProject } from './support/robot/site.ts';
import { startVisit, type Visit } from './support/robot/visit.ts';
import type { Engine } from './support/engine.ts';
import { engines, startEngine } from './support/start-engine.ts';

// One robot plays what a person does in the first minutes, with every sample of the README, of create-brooklet and of examples/.
//
//   npm run test:engines -- test/engines/samples -t 'template plain'     one sample
//   ROBOT=short npm run test:engines -- test/engines/samples             what `npm test` plays

const isShort = process.env.ROBOT === 'short';
const played = samples.filter((sample) => !isShort || sample.isShort);
const actsOf = ({ lacks }: Sample): readonly Act[] =>
  acts.filter((act) => (!isShort || act.isShort) && !act.needs.some((ability) => ability in lacks));

afterAll(removeProjects);

/** Plays something, and says what the page showed where it fails. */
async function visitDuring(engine: Engine, sample: Sample, play: (visit: Visit) => unknown): Promise<void> {
  const site = await serveProject(sample.project);
  const visit = await startVisit(engine, sample, site).catch((error: unknown) => {
    site.stop();
    throw error;
  });
  try {
    await play(visit);
  } catch (error) {
    const problems = await visit.hands.readProblems().catch(() => []);
    const shown = `The page shows:\n${await visit.hands.read()}\n${problems.join('\n')}`;
    await visit.end().catch(() => {});
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${shown}`, { cause: error });
  }
  await visit.end();
}

for (const name of engines) {
  describe(`in ${name}`, () => {
    const engine = during(
      () => startEngine(name),
      (its) => its.close(),
    );
    describe.each(played)('$name', (sample) => {
      it('has what the table of samples says, and nothing else', () => visitDuring(engine(), sample, hasItsControls));
      it.each(actsOf(sample))('$name', ({ play }) => visitDuring(engine(), sample, play));
    });
  });
}

async function hasItsControls({ sample, hands, field, send, stop, newChat }: Visit): Promise<void> {
  const { lacks } = sample;
  // A button that comes with a run is looked for during one.
  const controls: readonly (readonly [Control, Ability])[] = [
    [field, 'message'],
    [newChat, 'address'],
    ...('stop' in lacks ? [[stop, 'stop'] as const] : []),
  ];
  for (const [control, ability] of controls)
    expect({ control, has: await hands.has(control) }).toEqual({ control, has: !(ability in lacks) });
  expect(await hands.has(send)).toBe(true);
  expect('approval' in lacks).toBe(sample.approval === undefined);
}
