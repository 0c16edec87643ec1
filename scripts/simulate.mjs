// Plays the simulation of test/simulation: tabs, stores, locks, a model, people and faults in virtual time, the real code inside.
//
//   npm run simulate -- 17                       plays seed 17 and prints what happened
//   npm run simulate -- --from 1 --count 200     plays seeds 1 to 200; the first failing one ends it
//   npm run simulate -- --count 10000 --all      plays all of them, and lists every failing seed
//
// Many seeds are played in parts, each in a process of its own, on all processors: the modules of a play stay in the memory of its process.
//
// `--logs file` writes the stored log of each play into a file, as JSON, one a line.
// `--play replica` plays devices over a shared store instead (test/replica/play), `--play hostile` with somebody who writes decisions there,
// `--play tree` agents within agents in tabs (test/simulation/tree).
// `--script file` plays a script that `bundleSimulation` has made, of sources with a planted bug for example.

import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { watchSeeds } from './simulation/watchdog.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    play: { type: 'string', default: 'tabs' },
    logs: { type: 'string' },
    script: { type: 'string' },
  },
});

const replay = `npm run simulate --${values.play === 'tabs' ? '' : ` --play ${values.play}`}`;

// A script has no imports, and no `require` of its own.
Object.assign(globalThis, { require: createRequire(import.meta.url) });
process.setSourceMapsEnabled(true);
// V8 optimizes a function for the functions of one seed, and the next seed has its own: a quarter of the time of the processor for nothing.
setFlagsFromString('--no-opt');
const script = new Script(`${await readScript()};simulation`, { filename: 'simulation.js' });

/** A script that is made already needs no bundler, which takes longer to load than a seed to play. */
async function readScript() {
  if (values.script !== undefined) return readFileSync(values.script, 'utf8');
  const { bundleSimulation } = await import('./simulation/bundle.mjs');
  return bundleSimulation(values.play, []);
}

/**
 * Plays a seed in fresh modules: code that an earlier seed has loaded would take fewer turns.
 *
 * @param {number} seed
 */
function play(seed) {
  /** @type {{ play(seed: number): Promise<{ readonly seed: number, readonly problems: readonly string[], readonly trace: readonly string[], readonly log?: readonly unknown[] }> }} */
  const simulation = script.runInThisContext();
  return simulation.play(seed);
}

const [only] = positionals;
const from = Number(only ?? values.from);
const count = only === undefined ? Number(values.count) : 1;
/** Seeds that one process plays. */
const part = 500;

const failed = await (count > part ? playParts() : playSeeds());
console.log(`${count} seeds from ${from}, ${failed} failed`);
// The process that plays parts adds them up.
process.exitCode = Math.min(failed, 100);

/** Plays the seeds one after the other. Returns how many have failed. */
async function playSeeds() {
  const watch = watchSeeds(replay);
  let failures = 0;
  for (let seed = from; seed < from + count && (values.all || failures === 0); seed++) {
    watch(seed);
    const { problems, trace, log } = await play(seed);
    if (values.logs !== undefined && log) appendFileSync(values.logs, `${JSON.stringify(log)}\n`);
    if (only !== undefined) console.log(trace.join('\n'));
    if (problems.length === 0) continue;
    failures++;
    console.error(`seed ${seed}:\n${[...new Set(problems)].map((problem) => `  ${problem}`).join('\n')}`);
    console.error(`  Replay it: ${replay} ${seed}`);
  }
  watch(-1);
  return failures;
}

/** Plays the seeds in parts. Returns how many have failed. */
async function playParts() {
  const starts = Array.from({ length: Math.ceil(count / part) }, (_, index) => from + index * part);
  /** @type {number[]} */
  const failures = [];
  const playNext = async () => {
    const start = starts.shift();
    if (start === undefined || (!values.all && failures.some((failed) => failed > 0))) return;
    failures.push(await playPart(start, Math.min(part, from + count - start)));
    await playNext();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, playNext));
  return failures.reduce((sum, failed) => sum + failed, 0);
}

/** @param {number} start @param {number} length @returns {Promise<number>} how many seeds have failed */
function playPart(start, length) {
  const more = ['play', 'logs', 'script'].flatMap((name) => {
    const value = Object.entries(values).find(([key]) => key === name)?.[1];
    return typeof value === 'string' ? [`--${name}`, value] : [];
  });
  const args = ['--from', `${start}`, '--count', `${length}`, ...(values.all ? ['--all'] : []), ...more];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
