// A Vitest reporter for long runs: prints how much is done, what failed, and about how long the rest takes. Failures are printed in full at
// the end, as by the default reporter. `DURATIONS=write` writes how long the files took into test-durations.json.

import { readFileSync, writeFileSync } from 'node:fs';
import { DefaultReporter } from 'vitest/node';

const durationsFile = new URL('test-durations.json', import.meta.url);

/** Seconds that a file takes on a machine with two cores; one that is not in the list takes one. @type {Record<string, number | undefined>} */
const durations = JSON.parse(readFileSync(durationsFile, 'utf8'));

/** Least ms between two lines. */
const pause = 10_000;

/** Two files run at the same time. @param {string} file @returns {number} seconds */
export const estimate = (file) => (durations[file] ?? 1) / 2;

/** @param {number} seconds */
export function toDuration(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * Returns the seconds that the rest takes: as planned at first, and more and more at the pace of the part that is done.
 *
 * @param {{ done: number, total: number, elapsed: number }} progress `done` and `total` in estimated seconds
 */
export function estimateRest({ done, total, elapsed }) {
  // The first files also start the machinery: a tenth of the plan outweighs them.
  const trust = total / 10;
  const pace = total === 0 ? 1 : (trust + elapsed) / (trust + done);
  return (total - done) * pace;
}

/** Seconds from which a file is in the list. */
const noted = 4;

/** @param {ReadonlyArray<import('vitest/node').TestModule>} modules */
function writeDurations(modules) {
  const seconds = new Map(Object.entries(durations));
  for (const module of modules) seconds.delete(module.relativeModuleId);
  for (const module of modules) {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const ms = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    const longest = Math.max(seconds.get(module.relativeModuleId) ?? 0, Math.round(ms / 1_000));
    if (longest >= noted) seconds.set(module.relativeModuleId, longest);
  }
  const list = [...seconds].toSorted(([a, one = 0], [b, other = 0]) => other - one || a.localeCompare(b));
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(list), undefined, 2)}\n`);
}

export default class ProgressReporter extends DefaultReporter {
  total = 0;
  done = 0;
  tests = 0;
  failed = 0;
  startedAt = 0;
  printedAt = 0;

  constructor() {
    super({ summary: false });
  }

  /** @override @param {ReadonlyArray<import('vitest/node').TestSpecification>} specifications */
  onTestRunStart(specifications) {
    this.startedAt = this.printedAt = performance.now();
    this.total = specifications.reduce((sum, { moduleId }) => sum + estimate(this.relative(moduleId)), 0);
    this.log(`${specifications.length} files, about ${toDuration(this.total)} on two cores`);
  }

  /** @override @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    super.onTestModuleEnd(module);
    this.done += estimate(module.relativeModuleId);
    for (const test of module.children.allTests()) {
      this.tests++;
      if (test.result().state === 'failed') this.failed++;
    }
    const now = performance.now();
    if (now - this.printedAt < pause) return;
    this.printedAt = now;
    const elapsed = (now - this.startedAt) / 1_000;
    const percent = Math.floor((100 * this.done) / this.total);
    const rest = toDuration(estimateRest({ done: this.done, total: this.total, elapsed }));
    this.log(`${percent} %: ${this.tests} tests, ${this.failed} failed, about ${rest} left`);
  }

  /**
   * @override
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<import('vitest').SerializedError>} errors
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, errors, reason) {
    super.onTestRunEnd(modules, errors, reason);
    if (process.env.DURATIONS === 'write') writeDurations(modules);
  }

  /** @override @param {import('vitest/node').TestModule} module */
  printTestModule(module) {
    if (module.state() === 'failed') super.printTestModule(module);
  }
}
