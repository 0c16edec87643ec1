import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';

/** ms without an entry in the report after which a mutant has hung the process: more than any test takes on a busy machine. */
const patience = 240_000;

/** How long a test may take to be repeated, in ms of processor time. With few mutants, slow tests are worth their time. */
const slow = { all: 250, some: 5_000 };

/** How the process of the tests has ended. @typedef {{ readonly code: number | null, readonly signal: string | null }} Exit */

/**
 * Runs the tests. Resolves with how they ended, with 'hangs' when they had to be ended, or with 'late' when their time was over.
 *
 * @param {string} root
 * @param {object} task
 * @param {string} task.sources
 * @param {string} task.report
 * @param {string} task.errors
 * @param {readonly string[]} task.tests
 * @param {readonly string[] | undefined} [task.wanted] ids of the mutants to try; default: all
 * @param {number} [task.end] ms since the epoch
 * @returns {Promise<Exit | 'hangs' | 'late'>}
 */
export function runTests(root, { sources, report, errors, tests, wanted, end: last = Infinity }) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutate/vitest.config.ts', '--silent'];
  const stderr = openSync(errors, 'a');
  const child = spawn(process.execPath, vitest, {
    cwd: root,
    stdio: ['ignore', 'ignore', stderr],
    detached: true,
    env: {
      ...process.env,
      MUTATE_SOURCES: sources,
      MUTATE_REPORT: report,
      MUTATE_TESTS: JSON.stringify(tests),
      MUTATE_WANTED: wanted === undefined ? '' : JSON.stringify(wanted),
      MUTATE_SLOW: `${wanted === undefined ? slow.all : slow.some}`,
    },
  });
  closeSync(stderr);
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const quit = () => process.exit(1);
  process.once('exit', end);
  process.once('SIGINT', quit);
  process.once('SIGTERM', quit);
  return new Promise((resolve) => {
    let size = 0;
    let since = Date.now();
    /** @type {'hangs' | 'late' | undefined} */
    let ended;
    const watch = setInterval(() => {
      const present = statSync(report, { throwIfNoEntry: false })?.size ?? 0;
      if (present !== size) since = Date.now();
      size = present;
      if (Date.now() > last) ended ??= 'late';
      else if (Date.now() - since > patience) ended ??= 'hangs';
      if (ended !== undefined) end();
    }, 1_000);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      process.off('exit', end);
      process.off('SIGINT', quit);
      process.off('SIGTERM', quit);
      resolve(ended ?? { code, signal });
    });
  });
}
