// `npm run mutate -- sync`: changes the code in small ways, one at a time, and lists the changes that no test notices.
//
//   npm run mutate -- sync                                 one part (scripts/mutate/parts.mjs)
//   npm run mutate -- sync src/core/model/sync-lease.ts    some of its files
//   npm run mutate -- mcp --refusals                       only the conditions that refuse something (scripts/mutate/refusals.mjs)
//   npm run mutate -- mcp --tests bounds --minutes 20      only tests with such a name; ends after 20 minutes, and names what was not tried
//
// All mutants are in the code at once, each behind a switch (Stryker's instrumenter), and the tests run in one process
// (scripts/mutate/runner.ts); those that mock modules or use the database each have a process of their own. A mutant that hangs a process
// ends it, and the rest continues in the next one.
//
// Stryker's own runner starts a test file again for each mutant, one to three seconds each: hours for the core. The price of one process is that the
// mutants share it: after each failure the test has to pass without the mutant, in the same process, or it is named and left out.

import { parseArgs } from 'node:util';
import { root } from './manifest.mjs';
import { chosenPart } from './mutate/parts.mjs';
import { runPart } from './mutate/run-part.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { refusals: { type: 'boolean' }, minutes: { type: 'string' }, tests: { type: 'string' } },
});
const [name = 'model', ...only] = positionals;
const { refusals, minutes = 'Infinity', tests: like = '' } = values;
const { code, tests } = chosenPart(name);
try {
  const part = {
    name,
    code: only.length > 0 ? only : code,
    tests: tests.filter((file) => new RegExp(like).test(file)),
    minutes: Number(minutes),
    ...(refusals === true && { refusals }),
  };
  if (!(part.minutes > 0)) throw new Error(`--minutes takes a number of minutes, and not ${minutes}.`);
  if (part.tests.length === 0) throw new Error(`No test file of ${name} is like ${like}.`);
  console.log(await runPart(root, part));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
