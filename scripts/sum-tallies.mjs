// Prints the sum of several test runs as one line, `N passed, N failed`: node scripts/sum-tallies.mjs FILE, with one run a line.

import { readFileSync } from 'node:fs';
import { add, finish } from './finish.mjs';

const lines = readFileSync(process.argv[2] ?? '', 'utf8')
  .trim()
  .split('\n');
/** @type {import('./tally.mjs').Tally[]} */
const tallies = JSON.parse(`[${lines.join()}]`);
finish(add(tallies));
