// Decides from the arguments of `npm test` whether the run needs a browser or nats-server: `npm test -- test/core/log` needs neither.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What a run may need: the projects of vite.config.ts that do without it, and which test files use it.
 *
 * @typedef {{ readonly projectsWithout: readonly string[], readonly isUsedBy: (file: string) => boolean }} Need
 */

/** @type {Need} */
const browser = {
  projectsWithout: [
    'node',
    'node-database',
    'node-alone',
    'jsdom',
    'jsdom-alone',
    'compiled',
    'compiled-alone',
    'preact',
    'types',
  ],
  isUsedBy: (file) => /^test\/(e2e|engines)\//.test(file) || /\.browser\.test\.tsx?$/.test(file),
};

/** @type {Need} */
const nats = {
  projectsWithout: [
    'node-database',
    'jsdom',
    'jsdom-alone',
    'compiled',
    'compiled-alone',
    'preact',
    'browser',
    'browser-alone',
    'compiled-browser',
    'engines',
    'types',
  ],
  isUsedBy: (file) => /^test\/(e2e\/)?nats\b/.test(file),
};

/** Options of Vitest whose value is the next argument; such a value is no path. */
const optionsWithValue = ['-t', '--testNamePattern', '--project', '--reporter', '--bail', '--retry', '--shard'];

/**
 * Whether a run needs a browser: see `wants`.
 *
 * @param {readonly string[]} args as given to Vitest
 * @param {readonly string[]} files every test file, as a path from the root with `/`
 */
export const wantsBrowser = (args, files) => wants(browser, args, files);

/**
 * Whether a run needs nats-server: see `wants`.
 *
 * @param {readonly string[]} args as given to Vitest
 * @param {readonly string[]} files every test file, as a path from the root with `/`
 */
export const wantsNats = (args, files) => wants(nats, args, files);

/**
 * A run has a need unless the projects that it names, or all test files that its paths match, do without it.
 *
 * @param {Need} need
 * @param {readonly string[]} args
 * @param {readonly string[]} files
 */
function wants({ projectsWithout, isUsedBy }, args, files) {
  const projects = projectsOf(args);
  if (projects.length > 0 && projects.every((project) => projectsWithout.includes(project))) return false;
  const matched = matchedFiles(args, files);
  // Paths that match no file may be values of an option that is not known here.
  return matched.length === 0 || matched.some(isUsedBy);
}

/** @param {readonly string[]} args */
function projectsOf(args) {
  return args.flatMap((arg, index) => {
    if (arg === '--project') return [args[index + 1] ?? ''];
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : [];
  });
}

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} files
 */
function matchedFiles(args, files) {
  const paths = args.filter((arg, index) => !arg.startsWith('-') && !optionsWithValue.includes(args[index - 1] ?? ''));
  // As Vitest matches a path: anywhere in the file's own, without a line number at its end.
  return files.filter((file) => paths.some((path) => file.includes(toFilter(path))));
}

/** @param {string} path */
const toFilter = (path) => path.replaceAll('\\', '/').replace(/^\.\//, '').replace(/:\d+$/, '');

/** Every test file of this repository, as a path from its root with `/`. */
export function listTests() {
  return readdirSync(fileURLToPath(new URL('../test', import.meta.url)), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.test(-d)?\.tsx?$/.test(path));
}
