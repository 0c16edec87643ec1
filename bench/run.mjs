// `npm run bench`: all sides perform the same work in one browser, one after the other, several times.
//
//   npm run bench                     everything, half an hour to three quarters; writes results.json, and both READMEs from it
//   npm run bench -- --only A,J       some works; writes them
//   npm run bench -- --quick          one run of the most telling works; prints, writes nothing
//   npm run bench -- --check          the quick works, three runs; fails where Brooklet, stored or not, has fallen behind results.json
//   npm run bench -- --sides brooklet,ai-sdk --runs 3
//                                     some sides beside the floor, so many runs; prints, writes nothing

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startBrowser } from './browser.mjs';
import { prepare } from './prepare.mjs';
import { findRegressions } from './regression.mjs';
import { compare, summarize } from './results.mjs';
import { serve } from './server.mjs';
import { ownSides, sides } from './sides.mjs';
import { toTables } from './tables.mjs';
import { versionsOf } from './versions.mjs';
import { works } from './work.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
    sides: { type: 'string' },
    runs: { type: 'string' },
  },
});

/** ms of main-thread time; a side that takes longer is listed as "gave up". */
const patience = 20_000;
/** ms in all, for a side that waits without end. */
const longest = 240_000;
/** ms in all; a case that takes longer is measured once. */
const slow = 8_000;
/** Factor to the floor: a peer beyond it in two runs differs by more than runs do, and is measured twice. */
const farAway = 3;

const stored = new URL('results.json', import.meta.url);
const isQuick = options.quick || options.check;
const writes = !isQuick && !options.sides && !options.runs;
const wantedSides = options.check
  ? ['floor', ...ownSides]
  : options.sides
    ? ['floor', ...options.sides.split(',')]
    : undefined;

/** @type {import('./work.mjs').Work[]} */
const wanted = works
  .filter(({ id }) => !options.only || options.only.split(',').includes(id))
  .map((work) => ({ ...work, cases: work.cases.filter(({ quick }) => quick || !isQuick) }))
  .filter(({ cases }) => cases.length > 0);

/** @param {import('./work.mjs').Case} one */
function runsOf({ runs = 3 }) {
  if (options.runs) return Number(options.runs);
  if (options.check) return 3;
  return options.quick ? 1 : runs;
}

/**
 * @param {import('./work.mjs').Work} work
 * @param {import('./results.mjs').Samples} samples
 * @param {string} side
 */
function isFarAway({ metrics: [first] }, samples, side) {
  const figure = first && summarize(samples)[side]?.[first.id];
  return samples[side]?.length === 2 && (figure?.ratio ?? 0) > farAway;
}

/**
 * @param {import('./work.mjs').Work} work
 * @param {import('./work.mjs').Case} one of it
 * @param {Parameters<import('./work.mjs').Case['measure']>[0]} bench
 * @param {Set<string>} gaveUp sides that gave up in a smaller case of the same work
 */
async function measure(work, one, bench, gaveUp) {
  /** @type {import('./results.mjs').Samples} */
  const samples = {};
  /** @type {Set<string>} */
  const tooSlow = new Set();
  for (const side of one.sides) if (gaveUp.has(side)) samples[side] = [undefined];
  for (let run = 0; run < runsOf(one); run++) {
    for (const side of one.sides) {
      if ((wantedSides && !wantedSides.includes(side)) || tooSlow.has(side) || gaveUp.has(side)) continue;
      if (isFarAway(work, samples, side)) continue;
      const begin = performance.now();
      const sample = await withPatience(one.measure(bench, side), bench.browser).catch((error) => {
        console.error(`${one.id} ${side}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
        return undefined;
      });
      if (sample === undefined) {
        gaveUp.add(side);
        await bench.browser.restart();
      }
      if (performance.now() - begin > slow) tooSlow.add(side);
      (samples[side] ??= []).push(sample);
    }
  }
  return samples;
}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {import('./browser.mjs').Browser} browser
 * @returns {Promise<T>}
 */
async function withPatience(work, browser) {
  const begin = performance.now();
  let ended = false;
  const giveUp = async () => {
    while (!ended) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const busy = await browser.busy();
      if (ended) break;
      if (busy > patience) throw new Error(`gave up after ${Math.round(busy / 1000)} s of main-thread time`);
      if (performance.now() - begin > longest) throw new Error(`gave up after ${longest / 1000} s`);
    }
    return work;
  };
  try {
    return await Promise.race([work, giveUp()]);
  } finally {
    ended = true;
  }
}

/** @returns {import('./results.mjs').Results} */
function readResults() {
  return JSON.parse(readFileSync(stored, 'utf8'));
}

/** @param {string} id of a case @param {import('./results.mjs').Figures[string]} figures */
function write(id, figures) {
  /** @type {Partial<import('./results.mjs').Results>} */
  const before = existsSync(stored) ? readResults() : {};
  const origin = { date: new Date().toISOString().slice(0, 10), commit, machine: results.machine };
  const all = {
    ...results,
    cases: { ...before.cases, [id]: figures },
    origins: { ...before.origins, [id]: origin },
  };
  writeFileSync(stored, `${JSON.stringify(all, undefined, 2)}\n`);
}

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
await prepare();
const served = await serve();
const browser = await startBrowser(served);
/** @type {import('./results.mjs').Results} */
const results = {
  machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Chromium ${browser.version}, Node ${process.version}`,
  versions: versionsOf(sides),
  cases: {},
};
try {
  for (const work of wanted) {
    /** @type {Set<string>} */
    const gaveUp = new Set();
    for (const one of work.cases) {
      const figures = summarize(await measure(work, one, { browser, served }, gaveUp));
      results.cases[one.id] = figures;
      // Written at once, so that a run that breaks off leaves its results.
      if (writes) write(one.id, figures);
      console.error(`${one.id}: ${compare(work, figures)}`);
    }
  }
} finally {
  await browser.close();
  await served.stop();
}

console.log(toTables(wanted, results));
if (writes) await import('./readme.mjs');
if (options.check) {
  const regressions = findRegressions(wanted, readResults(), results);
  for (const line of regressions) console.error(line);
  console.log(regressions.length === 0 ? 'No regression.' : `${regressions.length} regressions.`);
  process.exitCode = regressions.length === 0 ? 0 : 1;
}
