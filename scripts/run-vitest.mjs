// Runs Vitest and counts its tests.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser, findShell, thisMachine } from './find-browser.mjs';
import { ensureNats, withoutNats } from './find-nats.mjs';
import { listTests, wantsBrowser, wantsNats } from './wants-browser.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** @param {string} name */
const reporter = (name) => `--reporter=${fileURLToPath(new URL(`${name}.mjs`, import.meta.url))}`;

/**
 * Runs Vitest. Finds or installs a browser and nats-server first, if a test that matches the arguments needs them. Without nats-server its
 * tests are skipped, and in CI the run fails.
 *
 * @param {readonly string[]} args of Vitest
 * @param {{ variables?: Readonly<Record<string, string>>, isLong?: boolean }} [options] `variables`: for an environment that does not have
 *   them; `isLong`: reports how far the run is, instead of every slow test
 * @returns {Promise<Tally>}
 */
export async function runVitest(args, { variables = {}, isLong = false } = {}) {
  const env = { ...variables, ...process.env };
  if (wantsBrowser(args, listTests())) {
    const browser = await ensureBrowser(thisMachine());
    if (!browser) {
      console.error('The browser tests cannot run, so no test was run.');
      return { passed: 0, failed: 1, skipped: 0, failures: ['no browser'] };
    }
    const shell = await findShell(thisMachine());
    console.log(`browser: ${browser.path} (${browser.from})${shell ? `, most tests: ${shell.path}` : ''}`);
    env.CHROMIUM_PATH = browser.path;
    if (shell) env.CHROMIUM_SHELL_PATH = shell.path;
  }
  if (wantsNats(args, listTests())) {
    const host = thisMachine();
    const server = await ensureNats({ ...host, say: (line) => console.log(`nats: ${line}`) });
    if (server !== undefined) env.NATS_SERVER = server;
    else {
      console.error(withoutNats);
      if (process.env.CI) return { passed: 0, failed: 1, skipped: 0, failures: ['no nats-server'] };
    }
  }
  // By name, all other tests are skipped.
  const isByName = args.some((arg) => /^(-t|--testNamePattern)(=|$)/.test(arg));
  if (process.env.CI && !isByName) env.SKIPS = 'fail';
  const watch = args.some((arg) => arg === '--watch' || arg === '-w');
  const shown = isLong ? reporter('progress') : '--reporter=default';
  return count(env, [vitest, ...(watch ? [] : ['run']), shown, reporter('tally'), ...args]);
}

/**
 * Runs a script that writes its counts to the file that TALLY_FILE names.
 *
 * @param {Record<string, string | undefined>} env
 * @param {readonly string[]} args of Node
 * @returns {Promise<Tally>}
 */
export async function count(env, args) {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'));
  const file = join(folder, 'tally.json');
  try {
    // A test that runs tests must not add its counts to those of this run.
    const childEnv = { ...env, TALLY_FILE: file, TALLIES: undefined };
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: childEnv, cwd: root });
    /** @type {number | string} */
    const ending = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
    });
    const tally = readTally(file);
    if (ending === 0 || tally.failed > 0) return tally;
    const failure = `${args[0]} exited with ${ending} although no test failed: see its output.`;
    console.error(failure);
    return { ...tally, failed: 1, failures: [failure] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the counts. Without a file no test ran: that is one failure.
 * @param {string} file
 * @returns {Tally}
 */
function readTally(file) {
  try {
    /** @type {Tally} */
    const tally = JSON.parse(readFileSync(file, 'utf8'));
    return tally;
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: ['The run ended before it counted its tests.'] };
  }
}
