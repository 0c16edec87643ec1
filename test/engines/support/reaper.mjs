// Ends what a test process has started, when that process ends in whatever way: its end closes the standard input of this one.
// Lines of input: `+123` ends the process group 123 later, `-123` no longer; `/a/folder` is removed at the end.

import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** @type {Set<number>} */
const groups = new Set();
/** @type {Set<string>} */
const folders = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('/')) folders.add(line);
  else if (line.startsWith('+')) groups.add(Number(line.slice(1)));
  else groups.delete(Number(line.slice(1)));
}
for (const group of groups) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
// Chromium notices by itself that the tests have ended, and writes into its profile meanwhile.
for (const pause of [0, 3_000]) {
  await new Promise((resolve) => setTimeout(resolve, pause));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
