// Which tests of Node and jsdom need a process of their own: those that replace modules. All others share the loaded modules of a worker,
// those with a database among themselves; `test/setup.shared.ts` puts back what a file has replaced, and fails a file that leaves more changed. A process
// of its own costs a second of processor time before the first test.

import { readFileSync } from 'node:fs';
import { root } from './manifest.mjs';
import { listTests } from './wants-browser.mjs';

/** Other modules than the next file expects. */
const replacesModules = /\bvi\.(mock|doMock|resetModules|hoisted)\b/;

/** The database that is installed as a global. */
const usesDatabase = /\b(fake-indexeddb|faulty-indexeddb)\b/;

/**
 * Files that see what the modules keep, whose changes a module keeps (without a `process`, values are no longer frozen), that are a whole page, or
 * that count what a page waits for: an agent of an earlier file may still try to write to a store that fails.
 */
const named = [
  'test/behaviour/door.test.ts',
  'test/react/mounting.browser.test.tsx',
  'test/readme.browser.test.tsx',
  'test/storage/planted-bugs.test.ts',
  'test/storage/properties.test.ts',
];

/** Live connections with time limits: work that an earlier file has left behind must not delay them. */
const connected = 'test/nats/';

/**
 * How a test file runs, by its path and text: `alone` in a process, or sharing modules with files that have a `database` installed, or `without`.
 *
 * @param {string} file
 * @param {string} text
 * @returns {'alone' | 'database' | 'without'}
 */
export function wayOf(file, text) {
  if (named.includes(file) || file.startsWith(connected) || replacesModules.test(text)) return 'alone';
  if (!usesDatabase.test(text)) return 'without';
  // Three files in a page are too few for a project.
  return file.endsWith('.tsx') ? 'alone' : 'database';
}

/** @param {'alone' | 'database'} way @param {RegExp} name of the test files */
const list = (way, name) =>
  listTests().filter(
    (file) =>
      name.test(file) && !file.startsWith('test/e2e/') && wayOf(file, readFileSync(`${root}${file}`, 'utf8')) === way,
  );

const inNode = /(?<!\.browser)\.test\.ts$/;

/** The test files of the project `node-alone`, as paths from the root. */
export const listAloneInNode = () => list('alone', inNode);

/** The test files of the project `node-database`, as paths from the root. */
export const listWithDatabase = () => list('database', inNode);

/** The test files of the project `jsdom-alone`, as paths from the root. */
export const listAloneInPage = () => list('alone', /(?<!\.browser)\.test\.tsx$/);

/** The test files of the project `browser-alone`, as paths from the root. */
export const listAloneInBrowser = () => list('alone', /\.browser\.test\.tsx?$/);
