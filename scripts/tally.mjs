// A Vitest reporter that counts the tests of all projects. A failure outside a test counts as a failure, too: a
// file that does not load, a hook, an unhandled error. The counts are written to the file that TALLY_FILE names.

import { writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

export default class TallyReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, unhandledErrors, reason) {
    for (const name of modules.flatMap(listRetried)) console.log(`needed another try: ${name}`);
    const file = process.env.TALLY_FILE;
    if (file) writeFileSync(file, JSON.stringify(count(modules, unhandledErrors, reason)));
  }
}

/**
 * Returns the tests of a file that passed only after a retry.
 *
 * @param {import('vitest/node').TestModule} module
 */
function listRetried(module) {
  return [...module.children.allTests()]
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `${module.relativeModuleId} > ${test.fullName}`);
}

/**
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @param {readonly unknown[]} unhandledErrors
 * @param {import('vitest/node').TestRunEndReason} reason
 * @returns {Tally}
 */
function count(modules, unhandledErrors, reason) {
  const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    let failedTests = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') tally.passed += 1;
      else if (state === 'skipped') tally.skipped += 1;
      else failedTests += 1; // failed, or pending: the test did not end
    }
    const brokenSuites = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0).length;
    // A file can fail without a failed test or suite.
    const rest = module.state() === 'failed' && failedTests + brokenSuites === 0 ? 1 : 0;
    tally.failed += failedTests + brokenSuites + rest;
  }
  if (reason === 'interrupted') tally.failed += 1;
  return tally;
}
