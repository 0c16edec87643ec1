// What `npm test` runs, and what is left to `npm run test:long`. Together they run every test with its full numbers.

import { readFileSync } from 'node:fs';
import { root } from './manifest.mjs';
import { listTests } from './wants-browser.mjs';

/** Files of `npm run test:long` alone. */
export const longFiles = [
  'test/simulation/planted-bugs.test.ts',
  'test/storage/planted-bugs.test.ts',
  'test/replica/planted-bugs.test.ts',
  'test/nats/cluster.test.ts',
  'test/react/compiler.test.ts',
  'test/skill/faults.test.tsx',
  'test/scripts/mutate.test.ts',
  'test/e2e/axe.test.ts',
  'test/e2e/copy-as-test.test.ts',
  'test/e2e/encryption.test.ts',
  'test/e2e/interleavings.test.ts',
  'test/e2e/kills.test.ts',
  'test/e2e/nats-devices.test.ts',
  'test/e2e/nats-replica.test.ts',
  'test/e2e/review-evidence.test.ts',
  'test/e2e/review-views.test.ts',
  'test/e2e/rooms.test.ts',
  'test/e2e/switching.test.ts',
];

/** Projects of `npm run test:long` alone: the tests of hooks and Studio once more, as React Compiler makes them. */
export const longProjects = ['compiled', 'compiled-alone', 'compiled-browser'];

/** The numbers of `npm test`; the files have the full ones. A variable of the caller overrides them. */
export const fewer = {
  SCHEDULES: '300',
  SEEDS: '60',
  DEVICES: '60',
  CUTS: '10',
  LANGUAGES: '1',
};

/** How `npm test` runs. */
export const everyday = { variables: { ...fewer, TEST_EXCLUDE: longFiles.join() }, isLong: true };

/** All but the tests that measure the coverage. */
export const withoutCoverage = projects('jsdom', 'jsdom-alone', 'browser', 'e2e', 'types');

/** The Node tests: those that share the modules of a worker, and those that must not. */
export const nodeTests = projects('node', 'node-alone');

/** The tests that measure the coverage of branches, and fail below the thresholds in vite.config.ts. */
export const withCoverage = [...nodeTests, '--coverage.enabled'];

/** A file that plays one of these numbers, or a share of the cases of a property (test/support/seeded.ts). */
const takesNumber = new RegExp(`env\\.(${Object.keys(fewer).join('|')})\\b|support/seeded\\.ts`);

/** What `npm run test:long` runs of the files that are listed below. */
export const uncompiled = projects('node', 'node-alone', 'jsdom', 'jsdom-alone', 'browser', 'e2e', 'types');

/** Of several exclusions (`--project=!node`), Vitest takes a project that any one of them leaves. @param {string[]} names */
function projects(...names) {
  return names.map((name) => `--project=${name}`);
}

/** The files of `npm run test:long`: those above, and those that `npm test` runs with fewer cases. A page takes all cases each time. */
export const listLongFiles = () =>
  listTests().filter(
    (file) =>
      longFiles.includes(file) ||
      (!file.includes('.browser.') && takesNumber.test(readFileSync(`${root}${file}`, 'utf8'))),
  );
