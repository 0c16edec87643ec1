// `npm test`: runs the tests of all projects and ends with one line, `N passed, N failed`, that agrees with the exit code.
// Finds or installs a browser first, if a test that matches the arguments needs one.
//
//   npm test                                    everything, once
//   npm test -- --project node                  one project: node, jsdom, browser, e2e, types
//   npm test -- test/core/log -t 'resumes'      some files, some tests
//   PROPERTY_RUNS=1 npm test                    property tests with all their runs, as in CI (test/support/seeded.ts)
//   npm test -- --watch                         again at every change

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser, thisMachine } from './find-browser.mjs';
import { listTests, wantsBrowser } from './wants-browser.mjs';

const args = process.argv.slice(2);
const env = { ...process.env };

if (wantsBrowser(args, listTests())) {
  const browser = await ensureBrowser(thisMachine());
  if (!browser) {
    console.error('The browser tests cannot run, so no test was run.');
    finish({ passed: 0, failed: 1, skipped: 0 });
  } else {
    console.log(`browser: ${browser.path} (${browser.from})`);
    env.CHROMIUM_PATH = browser.path;
    await runVitest();
  }
} else {
  await runVitest();
}

async function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'));
  try {
    env.TALLY_FILE = join(folder, 'tally.json');
    const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
    const watch = args.some((arg) => arg === '--watch' || arg === '-w');
    const reporters = ['--reporter=default', `--reporter=${fileURLToPath(new URL('tally.mjs', import.meta.url))}`];
    const child = spawn(process.execPath, [vitest, ...(watch ? [] : ['run']), ...reporters, ...args], {
      stdio: 'inherit',
      env,
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    });
    /** @type {number | string} */
    const ending = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
    });

    const tally = readTally(env.TALLY_FILE);
    if (ending !== 0 && tally.failed === 0) {
      console.error(`Vitest exited with ${ending} although no test failed: see above.`);
      tally.failed = 1;
    }
    finish(tally);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the counts. Without a file Vitest ran no test: that is one failure.
 * @param {string} file
 * @returns {import('./tally.mjs').Tally}
 */
function readTally(file) {
  try {
    /** @type {import('./tally.mjs').Tally} */
    const tally = JSON.parse(readFileSync(file, 'utf8'));
    return tally;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** @param {import('./tally.mjs').Tally} tally */
function finish({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
