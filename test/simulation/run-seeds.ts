import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The end of `npm run simulate`. */
interface Outcome {
  readonly hasFailed: boolean;
  readonly output: string;
}

/** Plays seeds in a process of their own, where an endless loop can be ended. @param args see `scripts/simulate.mjs` */
export function runSeeds(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/simulate.mjs', ...args],
      { cwd: root, maxBuffer: 64_000_000 },
      (error, stdout, stderr) => resolve({ hasFailed: error !== null, output: stdout + stderr }),
    );
  });
}
