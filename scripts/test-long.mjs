// `npm run test:long`: what takes too long for `npm test`. Planted bugs, kills, interleavings, simulations and properties with their full
// numbers, what React Compiler makes of hooks and Studio, then the packed package in each kind of consumer. Ends with one line, `N passed, N failed`.

import { fileURLToPath } from 'node:url';
import { add, finish } from './finish.mjs';
import { count, runVitest } from './run-vitest.mjs';
import { listLongFiles, longProjects, uncompiled } from './test-sets.mjs';

const files = await runVitest([...listLongFiles(), ...uncompiled], {
  variables: { PROPERTY_RUNS: '1' },
  isLong: true,
});
const compiled = await runVitest(
  longProjects.map((project) => `--project=${project}`),
  { isLong: true },
);
const consumers = await count(process.env, [fileURLToPath(new URL('packed/main.mjs', import.meta.url))]);
finish(add([files, compiled, consumers]));
