// `npm run test:engines`: the tests of test/engines in Chromium, Firefox and WebKit, which it installs where it may. Ends with one line, `N passed, N failed`.
//
//   npm run test:engines                                    40 leaves an engine; writes test/engines/results.json and the tables of the README
//   npm run test:engines -- test/engines/leave              some files
//   ENGINES=webkit ENGINE_LEAVES=400 npm run test:engines   one engine, as in the night
//   ENGINES=webkit ENGINE_LEAVES=1 ENGINE_SEED=17 npm run test:engines -- test/engines/leave     one leave again
//
// In CI all engines must be there. A run of all files writes the results of the engines that ran.

import { ensureEngines } from './ensure-engines.mjs';
import { engineNames } from './find-engines.mjs';
import { finish } from './finish.mjs';
import { runVitest } from './run-vitest.mjs';
import { engineTests } from './test-sets.mjs';
import { writeTables } from './engine-table.mjs';

const args = process.argv.slice(2);
const installed = await ensureEngines();
const asked = process.env.ENGINES?.split(',') ?? (process.env.CI ? engineNames : installed);
const missing = asked.filter((name) => !installed.some((its) => its === name));

if (missing.length > 0) {
  console.error(`Not installed: ${missing.join(', ')}. No test was run.`);
  finish({ passed: 0, failed: 1, skipped: 0 });
} else {
  process.env.ENGINES = asked.join();
  const reporter = new URL('engine-results.mjs', import.meta.url).pathname;
  const recorded = args.length === 0 ? [`--reporter=${reporter}`] : [];
  finish(
    await runVitest([...engineTests.projects, ...recorded, ...args], { variables: engineTests.full, isLong: true }),
  );
  if (args.length === 0) writeTables();
}
