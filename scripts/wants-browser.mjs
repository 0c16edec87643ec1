// Decides from the arguments of `npm test` whether the run needs a browser or nats-server: `npm test -- test/core/log` needs neither.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Projects of vite.config.ts that run without a browser. */
const projectsWithout = ['node', 'jsdom', 'compiled', 'types'];

/** Projects whose tests talk to nats-server. */
const projectsWithNats = ['node', 'e2e', '!node'];

/** Options of Vitest whose value is the next argument; such a value is no path. */
const optionsWithValue = ['-t', '--testNamePattern', '--project', '--reporter', '--bail', '--retry', '--shard'];

/**
 * A run needs a browser unless the projects that it names, or all test files that its paths match, do without one.
 *
 * @param {readonly string[]} args as given to Vitest
 * @param {readonly string[]} files every test file, as a path from the root with `/`
 */
export function wantsBrowser(args, files) {
  const projects = projectsOf(args);
  if (projects.length > 0 && projects.every((project) => projectsWithout.includes(project))) return false;
  // Paths that match no file may be values of an option that is not known here.
  const matched = matchedFiles(args, files);
  return matched.length === 0 || matched.some(needsBrowser);
}

/**
 * A run needs nats-server unless the projects that it names, or all test files that its paths match, do without it.
 *
 * @param {readonly string[]} args as given to Vitest
 * @param {readonly string[]} files every test file, as a path from the root with `/`
 */
export function wantsNats(args, files) {
  const projects = projectsOf(args);
  if (projects.length > 0 && !projects.some((project) => projectsWithNats.includes(project))) return false;
  const matched = matchedFiles(args, files);
  return matched.length === 0 || matched.some(needsNats);
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

/** @param {string} file */
const needsBrowser = (file) => file.startsWith('test/e2e/') || /\.browser\.test\.tsx?$/.test(file);

/** @param {string} file */
const needsNats = (file) => /^test\/(e2e\/)?nats\b/.test(file);

/** Every test file of this repository, as a path from its root with `/`. */
export function listTests() {
  return readdirSync(fileURLToPath(new URL('../test', import.meta.url)), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.test(-d)?\.tsx?$/.test(path));
}
