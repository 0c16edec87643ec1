// `npm test`: the tests that are worth running on a laptop, and one line at the end, `N passed, N failed`, that agrees with the exit code.
//
//   npm test                                    Node, jsdom, browser and short page tests, in 4 minutes on two cores
//   npm test -- --project node                  one project of vite.config.ts: node, node-database, node-alone (scripts/alone.mjs), jsdom, browser, e2e, …
//   npm test -- test/core/log -t 'resumes'      some files, some tests
//   PROPERTY_RUNS=1 npm test                    property tests with all of their cases (test/support/seeded.ts)
//   npm test -- --watch                         again at every change
//
// LANDING_FOLLOWS=1 leaves to `npm run test:landing` what it plays in full (.ci/run).

import { add, finish } from './finish.mjs';
import { runVitest } from './run-vitest.mjs';
import { engineTests, everyday, nodeTests, planLanding, withCoverage, withoutCoverage } from './test-sets.mjs';

const args = process.argv.slice(2);
finish(await (args.length > 0 ? runVitest(args) : runAll()));

/** In CI the Node tests measure the coverage as they run, so that no test runs twice for it. */
async function runAll() {
  const { reached, tenth } = process.env.LANDING_FOLLOWS ? await planLanding() : { reached: [], tenth: [] };
  const options = everyday([...reached, ...tenth].flatMap(({ kind, name }) => (kind === 'long' ? [name] : [])));
  const measured = await runVitest(process.env.CI ? withCoverage : nodeTests, options);
  const others = await runVitest(withoutCoverage, options);
  const { projects, filesOfShort, short } = engineTests;
  return add([measured, others, await runVitest([...projects, ...filesOfShort], { variables: short, isLong: true })]);
}
