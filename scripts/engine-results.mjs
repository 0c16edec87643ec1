// A Vitest reporter that writes what has run in each engine to test/engines/results.json. An engine that has not run keeps its last result.

import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Leaves of one engine: see test/engines/leave.test.ts. Text in ms.
 * @typedef {object} Leaves
 * @property {string} version of the engine
 * @property {number} count
 * @property {number} inStream
 * @property {number} sessionsLost
 * @property {number} blocked
 * @property {number} eventsLost
 * @property {number} textLost the 90th percentile
 * @property {number} textLostByHand the 90th percentile of the page that is written by hand
 *
 * @typedef {{ readonly date: string, readonly passed: number, readonly failed: number, readonly leaves: Leaves }} Result
 * @typedef {Readonly<Record<string, Result>>} Results by the name of the engine
 */

const file = new URL('../test/engines/results.json', import.meta.url);

/** @returns {Results} */
export function readResults() {
  try {
    /** @type {Results} */
    const results = JSON.parse(readFileSync(file, 'utf8'));
    return results;
  } catch {
    return {};
  }
}

/** The engine is the last word of the outermost `describe`. @type {(name: string) => string} */
const engineOf = (name) => name.split(' ').at(-1) ?? '';

export default class EngineResults {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    /** @type {Map<string, { passed: number, failed: number, leaves: Leaves | undefined }>} */
    const counts = new Map();
    for (const module of modules) {
      for (const suite of module.children.suites()) {
        const name = engineOf(suite.name);
        const count = counts.get(name) ?? { passed: 0, failed: 0, leaves: undefined };
        for (const test of suite.children.allTests()) {
          const { state } = test.result();
          if (state === 'passed') count.passed += 1;
          else if (state !== 'skipped') count.failed += 1;
          const { leaves } = /** @type {{ leaves?: Leaves }} */ (test.meta());
          count.leaves ??= leaves;
        }
        counts.set(name, count);
      }
    }
    const date = new Date().toISOString().slice(0, 10);
    const results = { ...readResults() };
    for (const [name, { passed, failed, leaves }] of counts)
      if (leaves) results[name] = { date, passed, failed, leaves };
    writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  }
}
