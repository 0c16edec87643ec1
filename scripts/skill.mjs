// Checks solutions of the tasks in test/skill, for example those of a coding model:
//
//   npm run skill -- DIR     DIR has a file for each task, under the name that its prompt states
//
// Compiles each file with the strict options of the repository, runs its check, and prints `passed` or `failed` with the reason. Ends with
// `N passed, N failed`. Runs the code of the solutions. A check uses their exports as a page does, never their text: many solutions are right. Each
// check must refuse solutions with a planted fault, so that no check passes everything.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './manifest.mjs';
import { compile } from './skill/compile.mjs';

/** @typedef {{ readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[] }} Report of Vitest */
/** @typedef {{ readonly title: string, readonly status: string, readonly failureMessages: readonly string[] }} Assertion */

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('Name the folder of the solutions: npm run skill -- DIR');
  process.exit(1);
}

// Inside the repository, so that the solutions find react, zod and the others.
const folder = join(root, '.cache/skill');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const tasks = readdirSync(join(root, 'test/skill/prompts')).map((file) => file.replace(/\.md$/, ''));
for (const file of readdirSync(resolve(given)))
  if (tasks.includes(file.replace(/\.tsx?$/, ''))) cpSync(join(resolve(given), file), join(folder, file));

const refusals = compile(folder);
const failures = runChecks();
let failed = 0;
for (const task of tasks) {
  const reason = refusals.get(task) ?? failures.get(task);
  if (reason !== undefined) failed++;
  console.log(reason === undefined ? `passed  ${task}` : `failed  ${task}: ${reason}`);
}
console.log(`${tasks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** @returns {Map<string, string>} the first line of each check's refusal */
function runChecks() {
  const report = join(folder, 'report.json');
  const args = [
    'run',
    '--project',
    'jsdom-alone',
    '--reporter',
    'json',
    '--outputFile',
    report,
    'test/skill/tasks.test.tsx',
  ];
  const env = { ...process.env, SKILL_SOLUTIONS: folder };
  const { stderr } = spawnSync('node_modules/.bin/vitest', args, { cwd: root, env, encoding: 'utf8' });
  /** @type {Report} */
  let read;
  try {
    read = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    throw new Error(`The checks did not run:\n${stderr}`);
  }
  const results = read.testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length !== tasks.length)
    throw new Error(`Only ${results.length} of ${tasks.length} checks ran:\n${stderr}`);
  return new Map(
    results
      .filter(({ status }) => status !== 'passed')
      .map(({ title, failureMessages }) => [title, failureMessages[0]?.split('\n')[0] ?? 'no reason given']),
  );
}
