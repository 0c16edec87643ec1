import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';

/** ms without an entry in the report after which a mutant has hung the process: more than any test may take. */
const patience = 90_000;

/**
 * Runs the tests in one process. Resolves with whether they ended by themselves.
 *
 * @param {string} root
 * @param {{ readonly sources: string, readonly report: string, readonly tests: readonly string[], readonly done: readonly string[] }} task
 * @returns {Promise<boolean>}
 */
export function runTests(root, { sources, report, tests, done }) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutate/vitest.config.ts', '--silent'];
  const child = spawn(process.execPath, vitest, {
    cwd: root,
    // Mutants cause errors outside of tests, too: thousands of lines that tell nothing.
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      MUTATE_SOURCES: sources,
      MUTATE_REPORT: report,
      MUTATE_TESTS: JSON.stringify(tests),
      MUTATE_DONE: JSON.stringify(done),
    },
  });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', end);
  return new Promise((resolve) => {
    let size = 0;
    let since = Date.now();
    const watch = setInterval(() => {
      const present = statSync(report, { throwIfNoEntry: false })?.size ?? 0;
      if (present !== size) since = Date.now();
      size = present;
      if (Date.now() - since > patience) end();
    }, 1_000);
    child.once('exit', (_code, signal) => {
      clearInterval(watch);
      process.off('exit', end);
      resolve(signal === null);
    });
  });
}
