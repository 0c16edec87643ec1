// `npm run test:packed`: installs the packed package in one project for each kind of consumer and uses it there, in a real Chromium. Only an installation
// shows wrong exports, peers and types.
//
//   npm run test:packed                      all consumers
//   npm run test:packed -- next webpack      those whose name contains one of the words; after --exactly, those of these names
//
// Requires the registry of npm, or its cache. Ends with `N passed, N failed`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { isListed, mayRetry } from '../exceptions.mjs';
import { finish } from '../finish.mjs';
import { ensureBrowser, findShell, launchArgs, thisMachine } from '../find-browser.mjs';
import { root } from '../manifest.mjs';
import { consumers } from './consumers.mjs';
import { pack } from './project.mjs';
import { startModel } from './servers.mjs';

/** @typedef {import('./consumers.mjs').Consumer} Consumer @typedef {import('./consumers.mjs').Stage} Stage */

const words = process.argv.slice(2).filter((word) => word !== '--exactly');
const isExact = process.argv.includes('--exactly');
const chosen = consumers.filter(
  ({ name }) => words.length === 0 || words.some((word) => (isExact ? name === word : name.includes(word))),
);
/** @type {string[]} */
const failures = [];
/** @type {string[]} */
const retried = [];
const tally = { passed: 0, failed: 0, skipped: 0, failures, retried };

/** Another try separates a flaky consumer from a broken one. finish.mjs judges a flaky one that scripts/exceptions.mjs does not list, as with pages. */
const tries = process.env.CI ? 2 : 1;

/** @param {Consumer} consumer @param {Stage} stage */
async function check({ name, run }, stage) {
  const start = performance.now();
  const report = (/** @type {string} */ word, /** @type {string} */ more) =>
    console.log(`${word}  ${name} (${Math.round((performance.now() - start) / 1000)} s)${more}`);
  for (let attempt = 1; ; attempt++) {
    try {
      await run(join(stage.temporary, `${name}-${attempt}`), stage);
      const isFlaky = attempt > 1 && !isListed(mayRetry, 'scripts/packed/main.mjs', name);
      if (isFlaky) retried.push(`needed another try: scripts/packed/main.mjs > ${name}`);
      else tally.passed++;
      return report(isFlaky ? 'again ' : 'ok    ', attempt > 1 ? ', needed another try' : '');
    } catch (error) {
      const message = `\n${error instanceof Error ? error.message : String(error)}`;
      if (attempt < tries) {
        report('again ', message);
        continue;
      }
      tally.failed++;
      failures.push(`scripts/packed/main.mjs > ${name}: ${message.trim()}`.replace(/\s+/g, ' '));
      return report('FAILED', message);
    }
  }
}

/** Two at a time: a machine with two cores builds and installs in parallel. @param {Stage} stage */
async function checkAll(stage) {
  const rest = [...chosen];
  async function work() {
    for (let next = rest.shift(); next; next = rest.shift()) await check(next, stage);
  }
  await Promise.all([work(), work()]);
}

const temporary = mkdtempSync(join(tmpdir(), 'brooklet-packed-'));
const found = await ensureBrowser(thisMachine());
if (!found) throw new Error('The consumers need a Chromium. Set CHROMIUM_PATH to one.');
const model = await startModel();
const shell = await findShell(thisMachine());
const browser = await chromium.launch({ executablePath: (shell ?? found).path, args: launchArgs });
try {
  const tarball = await pack(root, temporary);
  console.log(`${chosen.length} consumers of ${tarball}`);
  await checkAll({ temporary, tarball, baseURL: model.baseURL, browser, executablePath: found.path });
} finally {
  await browser.close();
  await model.stop();
  rmSync(temporary, { recursive: true, force: true });
}
if (chosen.length === 0) {
  console.error(`No consumer has a name with ${words.join(' or ')}: ${consumers.map(({ name }) => name).join(', ')}.`);
  tally.failed++;
}
if (process.env.TALLY_FILE) writeFileSync(process.env.TALLY_FILE, JSON.stringify(tally));
finish(tally);
