// `npm run watch`: checks types and runs the Node tests of what has changed, again at every change. Ctrl-C ends both; so does
// the end of either. Arguments go to Vitest: `npm run watch -- test/core/log` runs these files and not only what has changed.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const cwd = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} name @param {string} file */
const fileOf = (name, file) => join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);

/** `tsc` is a script that waits for the compiler: one group of processes, so that the compiler ends with the script. */
const hasGroups = process.platform !== 'win32';

const types = spawn(process.execPath, [fileOf('typescript', 'bin/tsc'), '--watch', '--preserveWatchOutput'], {
  cwd,
  detached: hasGroups,
  // The keys (q, a, f …) are Vitest's.
  stdio: ['ignore', 'inherit', 'inherit'],
});
const tests = spawn(
  process.execPath,
  [
    fileOf('vitest', 'vitest.mjs'),
    'watch',
    '--project=node',
    '--project=node-database',
    '--project=node-alone',
    '--clearScreen=false',
    ...(args.length > 0 ? args : ['--changed']),
  ],
  { cwd, stdio: 'inherit' },
);

function end() {
  tests.kill();
  if (types.pid === undefined || types.exitCode !== null || types.signalCode !== null) return;
  if (hasGroups) process.kill(-types.pid);
  else types.kill();
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, end);
for (const child of [types, tests]) child.once('exit', end);
