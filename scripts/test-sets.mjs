// What `npm test` runs, and what is left to `npm run test:long`. Together they run every test with its full numbers.

import { readFileSync } from 'node:fs';
import { root } from './manifest.mjs';
import { listTests } from './wants-browser.mjs';

/** Files of `npm run test:long` alone: what is played in great numbers, and pages with one part of Studio each. */
export const longFiles = [
  'test/simulation/planted-bugs.test.ts',
  'test/storage/planted-bugs.test.ts',
  'test/replica/planted-bugs.test.ts',
  'test/nats/cluster.test.ts',
  'test/react/compiler.test.ts',
  'test/skill/faults.test.tsx',
  'test/scripts/mutate.test.ts',
  'test/e2e/axe.test.ts',
  'test/e2e/chat-settings.test.ts',
  'test/e2e/copy-as-test.test.ts',
  'test/e2e/demo-runs.test.ts',
  'test/e2e/demo-server.test.ts',
  'test/e2e/encryption.test.ts',
  'test/e2e/history.test.ts',
  'test/e2e/html-export.test.ts',
  'test/e2e/interfaces.test.ts',
  'test/e2e/interleavings.test.ts',
  'test/e2e/keyboard.test.ts',
  'test/e2e/kills.test.ts',
  'test/e2e/nats-devices.test.ts',
  'test/e2e/nats-replica.test.ts',
  'test/e2e/offline.test.ts',
  'test/e2e/remedies.test.ts',
  'test/e2e/review-evidence.test.ts',
  'test/e2e/review-views.test.ts',
  'test/e2e/rooms.test.ts',
  'test/e2e/switching.test.ts',
  'test/e2e/trouble.test.ts',
];

/** The numbers of `npm test`; the files have the full ones. A variable of the caller overrides them. */
export const fewer = {
  SCHEDULES: '300',
  SEEDS: '30',
  DEVICES: '30',
  CUTS: '10',
  LANGUAGES: '1',
  STEPS: '14',
};

/** Those of files that measure no coverage: they play in a process of their own or in a page, or play wires. */
const unmeasured = ['SEEDS', 'DEVICES', 'CUTS', 'LANGUAGES'];

/** A file that takes a share of the cases of its properties (test/support/seeded.ts). A page takes all cases each time. */
const takesShare = /support\/seeded\.ts/;

/** @param {RegExp} pattern of the text of a test file */
const listByText = (pattern) =>
  listTests().filter((file) => !file.includes('.browser.') && pattern.test(readFileSync(`${root}${file}`, 'utf8')));

/** The files that `npm test` plays with one of these numbers. @param {readonly string[]} numbers */
const listNumbered = (numbers) => listByText(new RegExp(`env\\.(${numbers.join('|')})\\b`));

/**
 * How `npm test` runs. Where `npm run test:long` is to follow, as in `.ci/run`, files that it plays with the full numbers are left to it, unless
 * they measure the coverage.
 *
 * @param {Readonly<Record<string, string | undefined>>} [env]
 */
export const everyday = ({ LONG_FOLLOWS } = process.env) => {
  const left = LONG_FOLLOWS ? [...longFiles, ...listNumbered(unmeasured)] : longFiles;
  return { variables: { ...fewer, TEST_EXCLUDE: left.join() }, isLong: true };
};

/** All but the tests that measure the coverage. */
export const withoutCoverage = projects('jsdom', 'jsdom-alone', 'browser', 'browser-alone', 'e2e', 'types');

/** The Node tests: those that share the modules of a worker, without a database or with one, and those that must not. */
export const nodeTests = projects('node', 'node-database', 'node-alone');

/** The tests that measure the coverage of branches, and fail below the thresholds in vite.config.ts. */
export const withCoverage = [...nodeTests, '--coverage.enabled'];

/** What `npm run test:long` runs of its files: the pages last (`groupOrder` in vite.config.ts), which wait for most of the time. */
export const inTurn = projects('node', 'node-database', 'node-alone', 'jsdom', 'jsdom-alone', 'browser', 'e2e');

/** The tests of hooks and Studio once more, as React Compiler makes them: of `npm run test:long` alone. */
export const compiled = projects('compiled', 'compiled-alone', 'compiled-browser');

/**
 * The tests of test/engines: `full` is what `npm run test:engines` plays, `short` what `npm test` plays in each engine that is installed. `filesOfShort`
 * show most for their time.
 */
export const engineTests = {
  projects: projects('engines'),
  full: { ENGINE_LEAVES: '40' },
  short: { ENGINE_LEAVES: '6' },
  filesOfShort: ['test/engines/leave.test.ts', 'test/engines/chat.test.ts', 'test/engines/database.test.ts'],
};

/** Of several exclusions (`--project=!node`), Vitest takes a project that any one of them leaves. @param {string[]} names */
function projects(...names) {
  return names.map((name) => `--project=${name}`);
}

/** The files of `npm run test:long`: those above, and those that `npm test` runs with fewer cases. */
export const listLongFiles = () => [
  ...new Set([...longFiles, ...listNumbered(Object.keys(fewer)), ...listByText(takesShare)]),
];
