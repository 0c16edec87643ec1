// A Vitest reporter that counts the tests of all projects. A failure outside a test counts as a failure, too: a file that does not load, a
// hook, an unhandled error. So does a test that was skipped in CI, unless exceptions.mjs lists it. A test that needed another try and is not
// listed there is noted beside the counts: finish.mjs judges it. The counts, and each failure in one line, are written to the file that
// TALLY_FILE names.

import { writeFileSync } from 'node:fs';
import { isListed, mayRetry, maySkip } from './exceptions.mjs';

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} [failures] one line each
 * @property {readonly string[]} [retried] one line for each test that passed at another try and is not listed: not among `passed`
 */

export default class TallyReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, unhandledErrors, reason) {
    const { tally, remarks } = count(modules, unhandledErrors, reason);
    for (const remark of remarks) console.log(remark);
    const file = process.env.TALLY_FILE;
    if (file) writeFileSync(file, JSON.stringify(tally));
  }
}

/**
 * Counts the tests of a run. SKIPS=fail counts a skipped test as a failure: a run of some tests by name skips all others.
 *
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @param {readonly unknown[]} unhandledErrors
 * @param {import('vitest/node').TestRunEndReason} reason
 * @param {{ skips?: string | undefined, retryable?: readonly import('./exceptions.mjs').Exception[] }} [options]
 * @returns {{ tally: Tally, remarks: readonly string[] }}
 */
export function count(modules, unhandledErrors, reason, { skips = process.env.SKIPS, retryable = mayRetry } = {}) {
  const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  /** @type {string[]} */
  const remarks = [];
  /** @type {string[]} */
  const retried = [];
  const failures = unhandledErrors.map(
    (error) => `unhandled${reasonOf([/** @type {{ message?: string }} */ (error)])}`,
  );
  for (const module of modules) {
    let failedTests = 0;
    /** @param {string} what @param {import('vitest/node').TestCase} test */
    const unlisted = (what, test, why = '') =>
      `${what}, and scripts/exceptions.mjs does not list it: ${nameOf(module, test)}${why}`;
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      const listed = (/** @type {readonly import('./exceptions.mjs').Exception[]} */ list) =>
        isListed(list, module.relativeModuleId, test.fullName);
      if (state === 'passed' && !test.diagnostic()?.flaky) tally.passed += 1;
      else if (state === 'passed' && listed(retryable)) {
        tally.passed += 1;
        remarks.push(`needed another try: ${nameOf(module, test)}${reasonOf(errors)}`);
      } else if (state === 'passed') {
        const line = unlisted('needed another try', test, reasonOf(errors));
        remarks.push(line);
        retried.push(line);
      } else if (state === 'skipped' && skips === 'fail' && !listed(maySkip)) {
        const line = unlisted('skipped', test);
        tally.failed += 1;
        remarks.push(`FAILED: ${line}`);
        failures.push(line);
      } else if (state === 'skipped') tally.skipped += 1;
      else {
        // failed, or pending: the test did not end
        failedTests += 1;
        failures.push(`${nameOf(module, test)}${reasonOf(errors)}`);
      }
    }
    const broken = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
    for (const suite of broken) failures.push(`${module.relativeModuleId}${reasonOf(suite.errors())}`);
    // A file can fail without a failed test or suite.
    const rest = module.state() === 'failed' && failedTests + broken.length === 0 ? 1 : 0;
    if (rest > 0) failures.push(module.relativeModuleId);
    tally.failed += failedTests + broken.length + rest;
  }
  if (reason === 'interrupted') {
    tally.failed += 1;
    failures.push('The run was interrupted.');
  }
  const lines = { ...(failures.length > 0 && { failures }), ...(retried.length > 0 && { retried }) };
  return { tally: { ...tally, ...lines }, remarks };
}

/** @param {import('vitest/node').TestModule} module @param {import('vitest/node').TestCase} test */
const nameOf = (module, test) => `${module.relativeModuleId} > ${test.fullName}`;

/** The first error, in one line. @param {readonly { readonly message?: string }[] | undefined} errors */
const reasonOf = (errors) => (errors?.[0]?.message ? `: ${errors[0].message.replace(/\s+/g, ' ').slice(0, 300)}` : '');
