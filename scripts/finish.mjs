// The last line of a run of tests.

import { appendFileSync } from 'node:fs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** How many failures are named at the end, with how many characters each. */
const [most, longest] = [20, 400];

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function add(tallies) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const failures = tallies.flatMap((tally) => tally.failures ?? []);
  const retried = tallies.flatMap((tally) => tally.retried ?? []);
  for (const { passed, failed, skipped } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return { ...sum, ...(failures.length > 0 && { failures }), ...(retried.length > 0 && { retried }) };
}

/**
 * Judges the tests that needed another try and are not listed: up to `allowed` of them count as passed, more of them as failed, all of them.
 *
 * @param {Tally} tally
 * @param {number} allowed
 * @returns {Required<Tally>} `failures` and `retried` without the other's lines
 */
export function judge({ passed, failed, skipped, failures = [], retried = [] }, allowed) {
  return retried.length <= allowed
    ? { passed: passed + retried.length, failed, skipped, failures, retried }
    : { passed, failed: failed + retried.length, skipped, failures: [...failures, ...retried], retried: [] };
}

/**
 * Prints what failed and the last line of a run, and sets the exit code to agree with it. A reader may have the end of the output only.
 * TALLIES names a file that collects the counts of several runs. TRIES_ALLOWED is the number of tests that may need another try without being
 * listed: none where it is not set.
 *
 * @param {Tally} tally
 */
export function finish(tally) {
  if (process.env.TALLIES) appendFileSync(process.env.TALLIES, `${JSON.stringify(tally)}\n`);
  const { passed, failed, skipped, failures, retried } = judge(tally, Number(process.env.TRIES_ALLOWED ?? 0));
  for (const line of retried) console.log(`- allowed here: ${line.slice(0, longest)}`);
  for (const line of failures.slice(0, most)) console.log(`- ${line.slice(0, longest)}`);
  if (failures.length > most) console.log(`- and ${failures.length - most} more`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
