// Plays sets of the night: test files with their full numbers, what React Compiler makes of hooks and Studio, the packed package in its consumers.

import { fileURLToPath } from 'node:url';
import { add } from './finish.mjs';
import { estimate } from './progress.mjs';
import { count, runVitest } from './run-vitest.mjs';
import { compiled, inTurn } from './test-sets.mjs';

/** @typedef {import('./test-sets.mjs').TestSet} TestSet */

/** Seconds that a consumer takes. */
const consumer = 10;

/** @param {readonly TestSet[]} sets @returns {number} seconds on two cores */
export const estimateSets = (sets) =>
  sets.reduce((sum, { kind, name }) => sum + (kind === 'packed' ? consumer / 2 : estimate(name)), 0);

/**
 * @param {readonly TestSet[]} sets
 * @param {Readonly<Record<string, string>>} [variables] for an environment that does not have them
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function playSets(sets, variables = {}) {
  const [long, hooks, consumers] = /** @type {const} */ (['long', 'compiled', 'packed']).map((kind) =>
    sets.flatMap((set) => (set.kind === kind ? [set.name] : [])),
  );
  const inFull = { variables: { PROPERTY_RUNS: '1', ...variables }, isLong: true };
  const played = long?.length ? await runVitest([...long, ...inTurn], inFull) : none;
  // Each waits at times for a single thread: for the compiler, for npm.
  const [made, packed] = await Promise.all([
    hooks?.length ? runVitest([...hooks, ...compiled], { isLong: true }) : none,
    consumers?.length
      ? count(process.env, [fileURLToPath(new URL('packed/main.mjs', import.meta.url)), '--exactly', ...consumers])
      : none,
  ]);
  return add([played, made, packed]);
}

const none = { passed: 0, failed: 0, skipped: 0 };
