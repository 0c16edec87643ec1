// The walk of a newcomer: from an empty folder to a stored chat with an approved call, by the README alone. What it takes is counted.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectTexts, watch } from '../chat-page.mjs';
import { root } from '../../manifest.mjs';
import { createCounts, createPerson } from './person.mjs';
import { readSteps } from './readme-steps.mjs';
import { startBrowserWith, startService } from './service.mjs';
import { openShell } from './shell.mjs';

/**
 * @typedef {import('../consumers.mjs').Stage} Stage @typedef {import('playwright').Page} Page
 * @typedef {import('../../../test/engines/support/robot/model.ts').Model} Model
 * @typedef {import('../../../test/engines/support/robot/model.ts').Asked} Asked
 * @typedef {import('./person.mjs').Counts} Counts @typedef {ReturnType<typeof createPerson>} Person
 */

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/** The page that states what the walk takes, at most. */
const countsPage = 'docs/getting-started.md';

/** @returns {Counts} */
function readLimits() {
  const stated = /(\d+) commands, (\d+) files of (\d+) lines, (\d+) clicks and (\d+) keys/.exec(read(countsPage));
  if (!stated) throw new Error(`${countsPage} does not state what the walk takes.`);
  const [commands = 0, files = 0, lines = 0, clicks = 0, keys = 0] = stated.slice(1).map(Number);
  return { commands, files, lines, clicks, keys };
}

/** What the model answers, one after the other, and what a person sees and does then. */
const answers = [
  {
    text: 'A very small brook.',
    /** @param {Page} page @param {Person} _ @param {() => Promise<Asked>} nextAsked */
    async play(page, _, nextAsked) {
      const asked = await nextAsked();
      asked.write('A very small ');
      await page.getByText('A very small', { exact: true }).waitFor();
      if (!asked.isOpen()) throw new Error('The answer has ended before its text was there.');
      asked.write('brook.');
      asked.end();
    },
  },
  {
    text: 'It is paid.',
    /** @param {Page} page @param {Person} person @param {() => Promise<Asked>} nextAsked */
    async play(page, person, nextAsked) {
      const asked = await nextAsked();
      asked.call('pay', { invoice: 'A-17', amount: 20 });
      await person.click(page.getByRole('button', { name: 'Approve', exact: true }));
      const result = await nextAsked();
      result.write('It is paid.');
      result.end();
    },
  },
];

/**
 * Does what the README says, in an empty folder, and throws where it does not lead to a chat with an approved call that is there after a reload.
 *
 * @param {string} folder
 * @param {Stage} stage
 */
export async function walk(folder, { tarball, executablePath }) {
  const steps = readSteps(read('README.md'));
  const clone = join(folder, 'brooklet');
  mkdirSync(clone, { recursive: true });
  cpSync(tarball, join(clone, basename(tarball)));
  const shell = openShell(clone, (command) =>
    // The packed file in the place of the name on npm.
    command.replace(/^npm install brooklet$/, `npm install ${tarball}`).split(' '),
  );
  const service = await startService();
  const browser = await startBrowserWith(executablePath, service.port);
  const counts = createCounts();
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const problems = watch(page);
    await play(steps, { page, shell, model: service.model, counts }).catch(async (error) => {
      const shown = await page.locator('body').innerText().catch(String);
      throw new Error(`${String(error)}\nThe page shows: ${shown}\n${problems.join('\n')}`, { cause: error });
    });
    problems.push(...service.model.refusals);
    if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`);
  } finally {
    await browser.close();
    service.stop();
    shell.close();
  }
  compare(counts);
}

/**
 * @param {readonly import('./readme-steps.mjs').Step[]} steps
 * @param {{ page: Page, shell: ReturnType<typeof openShell>, model: Model, counts: Counts }} stage
 */
async function play(steps, { page, shell, model, counts }) {
  const person = createPerson(page, counts);
  let asked = 0;
  const nextAsked = async () => {
    const number = asked++;
    await until(() => model.asked.length > number, 'The page has asked the service for nothing.');
    return /** @type {Asked} */ (model.asked[number]);
  };
  /** Messages and answers in turn. @type {string[]} */
  const said = [];
  for (const step of steps) {
    if (step.do === 'run') {
      counts.commands++;
      const url = await shell.run(step.command);
      if (url !== undefined) await page.goto(url);
    } else if (step.do === 'write') {
      counts.files++;
      counts.lines += step.text.split('\n').filter((line) => line.trim() !== '').length;
      writeFileSync(join(shell.getFolder(), step.path), step.text);
    } else {
      const answer = answers[said.length / 2];
      if (!answer) throw new Error(`The README has more messages than the model of the walk has answers: ${step.text}`);
      await giveKey(page, person);
      await person.type(page.getByRole('textbox', { name: 'Message' }), step.text);
      await answer.play(page, person, nextAsked);
      said.push(step.text, answer.text);
      await expectTexts(page, ...said);
    }
  }
  await page.reload();
  counts.keys++;
  await expectTexts(page, ...said);
  if (said.length < 4) throw new Error('The README has not led to a call that a person approves.');
  if (asked !== model.asked.length) throw new Error(`The page has asked ${model.asked.length} times, not ${asked}.`);
}

/** Pastes a key where the page asks for one: at first, and after a save of the file with the agent, as the README says. @param {Page} page @param {Person} person */
async function giveKey(page, person) {
  const field = page.locator('input[type=password]');
  await person.paste(field, 'sk-test');
  await field.waitFor({ state: 'detached' });
}

/** @param {() => boolean} isTrue @param {string} otherwise */
async function until(isTrue, otherwise) {
  for (const end = Date.now() + 30_000; !isTrue(); await pause(20)) if (Date.now() > end) throw new Error(otherwise);
}

/** Prints what a walk has taken. Throws where it is more than the page states. @param {Counts} counts */
function compare(counts) {
  const { commands, files, lines, clicks, keys } = counts;
  console.log(`walk: ${commands} commands, ${files} files of ${lines} lines, ${clicks} clicks and ${keys} keys`);
  const more = Object.entries(readLimits()).filter(
    ([name, limit]) => counts[/** @type {keyof Counts} */ (name)] > limit,
  );
  if (more.length > 0)
    throw new Error(`${countsPage} states less: ${more.map(([name, limit]) => `${limit} ${name}`).join(', ')}.`);
}
