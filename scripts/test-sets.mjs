// What `npm test` runs, and the sets that it leaves out or plays in small numbers: `npm run test:landing` plays those that a change reaches and a tenth
// of all, `npm run test:night` all of them.
//
// Everything for each commit took 40 minutes, with seeds that never moved: authors waited, and stopped looking. A list of sets by folder grows old
// without a failure; `vitest related` does not see the pages that a browser test opens.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createReach, readChange, readHead } from './change.mjs';
import { createGraph, listFiles } from './graph.mjs';
import { root } from './manifest.mjs';
import { listTests } from './wants-browser.mjs';

/** Files that `npm test` leaves out: what is played in great numbers, and pages that take more than ten seconds. */
export const longFiles = [
  'test/simulation/planted-bugs.test.ts',
  'test/simulation/tree/planted-bugs.test.ts',
  'test/storage/planted-bugs.test.ts',
  'test/replica/planted-bugs.test.ts',
  'test/nats/cluster.test.ts',
  'test/react/compiler.test.ts',
  'test/skill/faults.test.tsx',
  'test/scripts/mutate.test.ts',
  'test/e2e/axe.test.ts',
  'test/e2e/chat-settings.test.ts',
  'test/e2e/chat.test.ts',
  'test/e2e/copy-as-test.test.ts',
  'test/e2e/day.test.ts',
  'test/e2e/demo-runs.test.ts',
  'test/e2e/demo-server.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/development.test.ts',
  'test/e2e/encryption.test.ts',
  'test/e2e/exfiltration.test.ts',
  'test/e2e/history.test.ts',
  'test/e2e/html-export.test.ts',
  'test/e2e/interfaces.test.ts',
  'test/e2e/interleavings.test.ts',
  'test/e2e/keyboard.test.ts',
  'test/e2e/keys.test.ts',
  'test/e2e/kills.test.ts',
  'test/e2e/nats-devices.test.ts',
  'test/e2e/nats-replica.test.ts',
  'test/e2e/offline.test.ts',
  'test/e2e/outliving-sealed.test.ts',
  'test/e2e/outliving.test.ts',
  'test/e2e/remedies.test.ts',
  'test/e2e/review-evidence.test.ts',
  'test/e2e/review-views.test.ts',
  'test/e2e/review.test.ts',
  'test/e2e/rooms.test.ts',
  'test/e2e/studio-outliving.test.ts',
  'test/e2e/switching.test.ts',
  'test/e2e/trouble.test.ts',
  'test/e2e/ui.test.ts',
  'test/e2e/ui-lists.test.ts',
];

/** The numbers of `npm test`; the files have the full ones. A variable of the caller overrides them. */
export const fewer = {
  SCHEDULES: '300',
  SEEDS: '30',
  DEVICES: '30',
  CUTS: '10',
  LANGUAGES: '1',
  STEPS: '14',
  LOGS: '300',
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
 * How `npm test` runs. Files that the landing plays in full are left to it, unless they measure the coverage.
 *
 * @param {readonly string[]} [played] the files that `npm run test:landing` is to play
 */
export const everyday = (played = []) => {
  const numbered = listNumbered(unmeasured).filter((file) => played.includes(file));
  return { variables: { ...fewer, TEST_EXCLUDE: [...longFiles, ...numbered].join() }, isLong: true };
};

/** All but the tests that measure the coverage. */
export const withoutCoverage = projects('jsdom', 'jsdom-alone', 'browser', 'browser-alone', 'e2e', 'types');

/** The Node tests: those that share the modules of a worker, without a database or with one, and those that must not. */
export const nodeTests = projects('node', 'node-database', 'node-alone');

/** The tests that measure the coverage of branches, and fail below the thresholds in vite.config.ts. */
export const withCoverage = [...nodeTests, '--coverage.enabled'];

/** The projects of the long files. The pages are last (`groupOrder` in vite.config.ts): they wait for most of the time. */
export const inTurn = projects('node', 'node-database', 'node-alone', 'jsdom', 'jsdom-alone', 'browser', 'e2e');

/** The tests of hooks, parts and Studio once more, as React Compiler makes them; those of the parts with Preact, too, which the element contains. */
export const compiled = projects('compiled', 'compiled-alone', 'compiled-browser', 'preact');

/**
 * The tests of test/engines: `full` is what `npm run test:engines` plays, `short` what `npm test` plays in each engine that is installed. `filesOfShort`
 * show most for their time.
 */
export const engineTests = {
  projects: projects('engines'),
  full: { ENGINE_LEAVES: '40' },
  short: { ENGINE_LEAVES: '6', ROBOT: 'short' },
  filesOfShort: [
    'test/engines/leave.test.ts',
    'test/engines/chat.test.ts',
    'test/engines/database.test.ts',
    'test/engines/samples.test.ts',
  ],
};

/** Every project but the compiled ones, which are the same tests once more. */
export const everyProject = [...nodeTests, ...withoutCoverage];

/** Of several exclusions (`--project=!node`), Vitest takes a project that any one of them leaves. @param {string[]} names */
function projects(...names) {
  return names.map((name) => `--project=${name}`);
}

/** The files that `npm test` leaves out or plays with fewer cases. */
export const listLongFiles = () => [
  ...new Set([...longFiles, ...listNumbered(Object.keys(fewer)), ...listByText(takesShare)]),
];

/** The files that are run compiled, too: as the projects in vite.config.ts include them. */
export const listCompiled = () =>
  listTests().filter(
    (file) =>
      (/^test\/(react|ui|demo)\/.*\.test\.tsx$/.test(file) && !/\.browser\.|^test\/demo\/Markdown\./.test(file)) ||
      /^test\/demo\/(Conversation|oneRow)\.browser\.test\.tsx$/.test(file),
  );

/** What the packed consumers are made of, beside the scripts that they run by: the package, the samples, the templates. */
const packedFolders = /^(src|examples(?!\/vite\.repo)|create-brooklet|test\/(packed|readme|consumer))\//;
const packedScripts = ['scripts/packed/main.mjs', 'scripts/build.mjs', 'README.md'];

/**
 * A part of the night.
 *
 * @typedef {object} TestSet
 * @property {'long' | 'compiled' | 'packed'} kind
 * @property {string} name of the test file, or of the consumer
 * @property {readonly string[]} roots files: a change of what one of them needs reaches the set
 */

/**
 * Returns the sets of the night.
 *
 * @param {readonly string[]} consumers names of the packed consumers
 * @returns {readonly TestSet[]}
 */
export function listSets(consumers) {
  const packed = [...listFiles().filter((file) => packedFolders.test(file)), ...packedScripts];
  return [
    ...listLongFiles().map((name) => /** @type {const} */ ({ kind: 'long', name, roots: [name] })),
    ...listCompiled().map((name) => /** @type {const} */ ({ kind: 'compiled', name, roots: [name] })),
    ...consumers.map((name) => /** @type {const} */ ({ kind: 'packed', name, roots: packed })),
  ];
}

/** Whether a set is of the tenth that a commit plays whatever it changes. @param {string} commit @param {TestSet} set */
export const isInTenth = (commit, { kind, name }) =>
  createHash('sha256').update(`${commit} ${kind} ${name}`).digest().readUInt32BE() % 10 === 0;

/**
 * What a landing plays: the sets that the change reaches, and a tenth of the others.
 *
 * @typedef {object} Plan
 * @property {string} reason
 * @property {readonly TestSet[]} reached
 * @property {readonly TestSet[]} tenth
 */

/**
 * @param {readonly TestSet[]} sets
 * @param {{ readonly since?: string, readonly files?: readonly string[] }} change without `files`, everything may have changed
 * @param {string} commit
 * @param {ReturnType<typeof createGraph>} [graph]
 * @returns {Plan}
 */
export function planFor(sets, { since = '', files }, commit, graph = createGraph()) {
  const { everything, reaches } = createReach(files, graph);
  /** Many sets have the same roots. @type {Map<readonly string[], boolean>} */
  const known = new Map();
  const isReached = (/** @type {TestSet} */ { roots }) => {
    const is = known.get(roots) ?? reaches(roots);
    known.set(roots, is);
    return is;
  };
  const reached = sets.filter(isReached);
  const tenth = sets.filter((set) => !reached.includes(set) && isInTenth(commit, set));
  const reason = everything ?? `${files?.length ?? 0} files have changed since ${since.slice(0, 8)}`;
  return { reason, reached, tenth };
}

/** Returns every set of the night. */
export async function listAllSets() {
  const { consumers } = await import('./packed/consumers.mjs');
  return listSets(consumers.map(({ name }) => name));
}

/** Returns what the commit that is checked out plays as it lands. */
export const planLanding = async () => planFor(await listAllSets(), readChange() ?? {}, readHead());
