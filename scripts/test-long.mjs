// `npm run test:long`: what takes too long for `npm test`. Planted bugs, kills, interleavings, simulations and properties with their full
// numbers, what React Compiler makes of hooks and Studio, then the packed package in each kind of consumer. Ends with one line, `N passed, N failed`.

import { fileURLToPath } from 'node:url';
import { add, finish } from './finish.mjs';
import { count, runVitest } from './run-vitest.mjs';
import { compiled, inTurn, listLongFiles } from './test-sets.mjs';

const files = listLongFiles();
const inFull = { variables: { PROPERTY_RUNS: '1' }, isLong: true };

const played = await runVitest([...files, ...inTurn], inFull);
// Each waits at times for a single thread: for the compiler, for npm.
const [hooks, consumers] = await Promise.all([
  runVitest(compiled, { isLong: true }),
  count(process.env, [fileURLToPath(new URL('packed/main.mjs', import.meta.url))]),
]);
finish(add([played, hooks, consumers]));
