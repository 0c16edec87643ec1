// `npm run test:night`: everything with its full numbers, and seeds that no night before has played. Prints what it plays and how to repeat it, and notes
// the result in .ci/nights.json, to be committed. Ends with one line, `N passed, N failed`. A failing seed becomes a test.
//
//   npm run test:night                           all parts
//   npm run test:night -- --night 20784          the seeds of that night again
//   npm run test:night -- simulation engines     some parts; notes nothing

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readHead } from './change.mjs';
import { add, finish, judge } from './finish.mjs';
import { root } from './manifest.mjs';
import { numbersOf, seedOf, today, toEntry } from './nights.mjs';
import { playSets } from './play-sets.mjs';
import { runVitest } from './run-vitest.mjs';
import { everyProject, listAllSets } from './test-sets.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { night: { type: 'string' } } });
const night = Number(values.night ?? today());
const variables = numbersOf(night);
const history = join(root, '.ci/nights.json');

/** Seeds of each play of the simulation. */
const plays = { tabs: 10_000, replica: 2_000, hostile: 1_000, tree: 4_000 };

/** Parts in their order. @type {Readonly<Record<string, () => Promise<Tally>>>} */
const parts = {
  tests: () => runVitest(everyProject, { variables, isLong: true }),
  compiled: async () =>
    playSets(
      (await listAllSets()).filter(({ kind }) => kind === 'compiled'),
      variables,
    ),
  packed: async () => playSets((await listAllSets()).filter(({ kind }) => kind === 'packed')),
  simulation: playSimulation,
  engines: () => runScript('test:engines'),
  bench: () => runScript('bench', '--', '--check'),
};

/** @type {string[]} */
const failedSeeds = [];
const chosen = Object.keys(parts).filter((name) => positionals.length === 0 || positionals.includes(name));
console.log(`Night ${night}, seeds from ${seedOf(night)}: ${chosen.join(', ')}`);
console.log(`Again: npm run test:night -- --night ${night} ${positionals.join(' ')}`.trim());
/** @type {(Tally & { readonly part: string, readonly seconds: number })[]} */
const results = [];
for (const part of chosen) {
  const start = performance.now();
  const tally = (await parts[part]?.()) ?? { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped } = judge(tally, 0);
  results.push({ part, passed, failed, skipped, seconds: Math.round((performance.now() - start) / 1_000) });
}
if (positionals.length === 0) note();
finish(add(results));

/** Plays the seeds of the night. Each play counts as one test. */
async function playSimulation() {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  for (const [play, count] of Object.entries(plays)) {
    const args = ['--all', '--play', play, '--from', `${seedOf(night)}`, '--count', `${count}`];
    const { code, text } = await run(process.execPath, [join(root, 'scripts/simulate.mjs'), ...args]);
    for (const [, seed] of text.matchAll(/^seed (\d+):/gm))
      failedSeeds.push(`npm run simulate -- --play ${play} ${seed}`);
    tally[code === 0 ? 'passed' : 'failed']++;
  }
  return tally;
}

/**
 * Runs a script of package.json. One that ends with `N passed, N failed` counts as that, another one as one test.
 *
 * @param {string[]} script its name and arguments
 * @returns {Promise<Tally>}
 */
async function runScript(...script) {
  const { code, text } = await run('npm', ['run', '--silent', ...script], variables);
  const [last] = /\d+ passed, \d+ failed(?:, \d+ skipped)?\s*$/.exec(text) ?? [];
  const counts = (last ?? `${Number(code === 0)}`).match(/\d+/g) ?? [];
  const [passed = 0, failed = 0, skipped = 0] = counts.map(Number);
  return { passed, failed: failed || Number(code !== 0), skipped };
}

/**
 * Runs a command, and passes on what it prints.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [more] variables
 * @returns {Promise<{ code: number | null, text: string }>}
 */
function run(command, args, more = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...more, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows npm is a script.
    shell: process.platform === 'win32' && command === 'npm',
  });
  let text = '';
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from.setEncoding('utf8').on('data', (some) => {
      text += String(some);
      to.write(String(some));
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, text }));
  });
}

function note() {
  /** @type {import('./nights.mjs').Night[]} */
  const before = existsSync(history) ? JSON.parse(readFileSync(history, 'utf8')) : [];
  const entry = toEntry({ night, commit: readHead(), results, failedSeeds });
  writeFileSync(history, `${JSON.stringify([...before, entry], undefined, 2)}\n`);
  console.log('Noted in .ci/nights.json: commit it.');
}
