// What has changed since the last green landing, and what that reaches. `.ci/run` notes a green landing in .ci/landed.json; the note is committed with the
// next change.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGraph, listFiles } from './graph.mjs';
import { root } from './manifest.mjs';

const note = '.ci/landed.json';

/** What reaches every set, beside the configuration and what it imports. */
const reachesAll = [
  /^package(-lock)?\.json$/,
  /^\.npmrc$/,
  /^tsconfig.*\.json$/,
  /^\.ci\/run$/,
  /^test\/(e2e\/|replica\/|nats\/|engines\/)?support\/[^/]*$/,
  /^test\/support\//,
  /^test\/setup\.[^/]*$/,
  /^scripts\/(change|exceptions|finish|graph|nights|play-sets|run-vitest|tally|test|test-[a-z]+)\.mjs$/,
  /\.(css|html)$/,
];

/** What reaches no set: texts that only Node tests and static checks read, and results. */
const reachesNone = /^(docs|api|bench)\/|^\.ci\/\w+\.json$|^[^/]+\.md$|^LICENSE$/;

/** @param {readonly string[]} args */
const git = (args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });

/** @param {readonly string[]} args */
const succeeds = (args) => spawnSync('git', args, { cwd: root }).status === 0;

/** @typedef {{ readonly since: string, readonly files: readonly string[] }} Change */

/**
 * Returns the files that differ from the last green landing, those not committed too; `undefined` where that landing is unknown.
 *
 * @returns {Change | undefined}
 */
export function readChange() {
  const since = readNote();
  if (since === undefined || !succeeds(['merge-base', '--is-ancestor', since, 'HEAD'])) return undefined;
  const lists = [
    git(['diff', '--name-only', '--no-renames', '-z', since]),
    git(['ls-files', '--others', '--exclude-standard', '-z']),
  ];
  return { since, files: lists.flatMap((list) => list.split('\0')).filter((path) => path !== '') };
}

/** @returns {string | undefined} the commit of the last green landing */
function readNote() {
  const path = join(root, note);
  if (!existsSync(path)) return undefined;
  /** @type {{ commit?: unknown }} */
  const { commit } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof commit === 'string' && /^[0-9a-f]{40}$/.test(commit) ? commit : undefined;
}

/** The commit that is checked out. */
export const readHead = () => git(['rev-parse', 'HEAD']).trim();

/** Whether the files are those of the commit that is checked out, but for the note. */
const isClean = () => git(['status', '--porcelain', '--', '.', `:!${note}`]).trim() === '';

/** Notes that this commit has landed green. Returns whether it did: files that are not committed have not landed. */
export function noteLanding() {
  if (!isClean()) return false;
  const landed = { commit: readHead(), date: new Date().toISOString().slice(0, 10) };
  writeFileSync(join(root, note), `${JSON.stringify(landed, undefined, 2)}\n`);
  return true;
}

/**
 * Returns what answers whether a change reaches some files, and why everything is reached, if it is.
 *
 * @param {readonly string[] | undefined} changed as paths from the root; `undefined` if unknown
 * @param {ReturnType<typeof createGraph>} [graph]
 * @param {readonly string[]} [files] of the repository
 * @returns {{ readonly everything: string | undefined, readonly reaches: (roots: readonly string[]) => boolean }}
 */
export function createReach(changed, graph = createGraph(), files = listFiles()) {
  const everything = findReason(changed, graph, files);
  const set = new Set(changed);
  return {
    everything,
    reaches: (roots) => everything !== undefined || [...graph.reach(roots)].some((file) => set.has(file)),
  };
}

/** @param {readonly string[] | undefined} changed @param {ReturnType<typeof createGraph>} graph @param {readonly string[]} files */
function findReason(changed, graph, files) {
  if (changed === undefined) return 'the last green landing is unknown';
  const general = changed.find(
    (file) => graph.configuration.has(file) || (!reachesNone.test(file) && reachesAll.some((one) => one.test(file))),
  );
  if (general !== undefined) return `${general} has changed`;
  // A module that imported a removed one has changed with it. Other files leave no trace.
  const there = new Set(files);
  const removed = changed.find(
    (file) => !there.has(file) && /^(src|demo|scripts)\//.test(file) && !/\.tsx?$/.test(file),
  );
  return removed === undefined ? undefined : `${removed} has been removed`;
}
