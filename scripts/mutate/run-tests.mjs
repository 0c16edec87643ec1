import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';

/** ms without an entry in the report after which a mutant has hung the process: more than any test takes on a busy machine. */
const patience = 240_000;

/** How the process of the tests has ended. @typedef {{ readonly code: number | null, readonly signal: string | null }} Exit */

/**
 * Runs the tests. Resolves with how they ended, or with 'hangs' when they had to be ended.
 *
 * @param {string} root
 * @param {{ readonly sources: string, readonly report: string, readonly errors: string, readonly tests: readonly string[] }} task
 * @returns {Promise<Exit | 'hangs'>}
 */
export function runTests(root, { sources, report, errors, tests }) {
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
    let hangs = false;
    const watch = setInterval(() => {
      const present = statSync(report, { throwIfNoEntry: false })?.size ?? 0;
      if (present !== size) since = Date.now();
      size = present;
      if (Date.now() - since <= patience) return;
      hangs = true;
      end();
    }, 1_000);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      process.off('exit', end);
      process.off('SIGINT', quit);
      process.off('SIGTERM', quit);
      resolve(hangs ? 'hangs' : { code, signal });
    });
  });
}
