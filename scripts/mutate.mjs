// `npm run mutate -- sync`: changes the code in small ways, one at a time, and lists the changes that no test notices.
//
//   npm run mutate -- sync                                 one part (scripts/mutate/parts.mjs)
//   npm run mutate -- sync src/core/model/sync-lease.ts    some of its files
//
// All mutants are in the code at once, each behind a switch (Stryker's instrumenter), and the tests run in one process
// (scripts/mutate/runner.ts); those that mock modules or use the database each have a process of their own. A mutant that hangs a process
// ends it, and the rest continues in the next one.
//
// Stryker's own runner starts a test file again for each mutant, one to three seconds each: hours for the core. The price of one process is that the
// mutants share it: after each failure the test has to pass without the mutant, in the same process, or it is named and left out.

import { root } from './manifest.mjs';
import { chosenPart } from './mutate/parts.mjs';
import { runPart } from './mutate/run-part.mjs';

const [name = 'model', ...only] = process.argv.slice(2);
const { code, tests } = chosenPart(name);
try {
  console.log(await runPart(root, { name, code: only.length > 0 ? only : code, tests }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
