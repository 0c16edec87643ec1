// The last line of a run of tests.

import { appendFileSync } from 'node:fs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** How many failures are named at the end, with how many characters each. */
const [most, longest] = [20, 400];

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function add(tallies) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const failures = tallies.flatMap((tally) => tally.failures ?? []);
  for (const { passed, failed, skipped } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return { ...sum, ...(failures.length > 0 && { failures }) };
}

/**
 * Prints what failed and the last line of a run, and sets the exit code to agree with it. A reader may have the end of the output only.
 * TALLIES names a file that collects the counts of several runs.
 *
 * @param {Tally} tally
 */
export function finish(tally) {
  const { passed, failed, skipped, failures = [] } = tally;
  if (process.env.TALLIES) appendFileSync(process.env.TALLIES, `${JSON.stringify(tally)}\n`);
  for (const line of failures.slice(0, most)) console.log(`- ${line.slice(0, longest)}`);
  if (failures.length > most) console.log(`- and ${failures.length - most} more`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
