// The last line of a run of tests.

import { appendFileSync } from 'node:fs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function add(tallies) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/**
 * Prints the last line of a run, and sets the exit code to agree with it. TALLIES names a file that collects the counts of several runs.
 *
 * @param {Tally} tally
 */
export function finish(tally) {
  const { passed, failed, skipped } = tally;
  if (process.env.TALLIES) appendFileSync(process.env.TALLIES, `${JSON.stringify(tally)}\n`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
