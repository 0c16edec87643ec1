// `npm test`: runs the tests of all projects and ends with one line, `N passed, N failed`, that agrees with the exit code.
//
//   npm test                                    every kind of test, in 8 minutes on two cores; `npm run test:long` has the rest
//   npm test -- --project node                  one project of vite.config.ts: node, node-database, node-alone (scripts/alone.mjs), jsdom, browser, e2e, …
//   npm test -- test/core/log -t 'resumes'      some files, some tests
//   PROPERTY_RUNS=1 npm test                    property tests with all their runs, as in test:long (test/support/seeded.ts)
//   npm test -- --watch                         again at every change

import { add, finish } from './finish.mjs';
import { runVitest } from './run-vitest.mjs';
import { engineTests, everyday, nodeTests, withCoverage, withoutCoverage } from './test-sets.mjs';

const args = process.argv.slice(2);
finish(await (args.length > 0 ? runVitest(args) : runAll()));

/** In CI the Node tests measure the coverage as they run, so that no test runs twice for it. */
async function runAll() {
  const measured = await runVitest(process.env.CI ? withCoverage : nodeTests, everyday());
  const others = await runVitest(withoutCoverage, everyday());
  const { projects, filesOfShort, short } = engineTests;
  return add([measured, others, await runVitest([...projects, ...filesOfShort], { variables: short, isLong: true })]);
}
