// `npm run check:static`: everything but the tests, two checks at a time. Prints what a check says as it ends, and fails if any has failed.

import { spawn } from 'node:child_process';
import { root } from './manifest.mjs';

/** Scripts of package.json, one after the other. */
const lanes = [
  // `build` checks the types of the library once more: as its users have them, without those of Node.
  ['check:types', 'check:lint', 'check:format', 'check:english'],
  [
    'build',
    'check:api',
    'check:publint',
    'check:attw',
    'check:peers',
    'check:size',
    'check:studio',
    'check:numbers',
    'check:knip',
  ],
];

/** @param {string} script @returns {Promise<boolean>} whether it succeeded */
function run(script) {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows npm is a script.
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += String(text)));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      const seconds = Math.round((performance.now() - start) / 1_000);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${script} (${seconds} s)\n${output}`);
      resolve(code === 0);
    });
  });
}

/** Runs every script: a failure hides no other one. Without a build, the checks of the build have nothing to check. @param {readonly string[]} scripts @returns {Promise<boolean>} */
async function runAll(scripts) {
  let good = true;
  for (const script of scripts) {
    if (await run(script)) continue;
    good = false;
    if (script === 'build') break;
  }
  return good;
}

const good = await Promise.all(lanes.map(runAll));
process.exitCode = good.every(Boolean) ? 0 : 1;
