// The element in each framework: a small project that type-checks, builds with the packed package, and is used in a browser.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from './chat-page.mjs';
import { createProject } from './project.mjs';
import { answer, question } from './servers.mjs';
import { serve } from '../serve-folder.mjs';

/** @typedef {import('./consumers.mjs').Consumer} Consumer @typedef {import('playwright').Page} Page */

/** Uses the element as a person does: Playwright looks into open shadow trees. @param {Page} page @param {string} url */
async function visit(page, url) {
  const problems = watch(page);
  const field = page.getByRole('textbox', { name: 'Message' });
  const log = page.getByRole('log');
  /** @param {string} text */
  const send = async (text) => {
    await field.fill(text);
    await field.press('Enter');
  };
  try {
    await page.goto(url);
    await send(question);
    await log.getByText(answer, { exact: true }).waitFor();
    await page.locator('#events', { hasText: 'finish:completed' }).waitFor();
    await send('A slow answer');
    await log.getByText('one two', { exact: false }).waitFor();
    await field.fill('A draft');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('#events', { hasText: 'finish:cancelled' }).waitFor();
    if ((await field.inputValue()) !== 'A draft') throw new Error(`The draft is ${await field.inputValue()}.`);
    await send('Pay the bill');
    await page.locator('#events', { hasText: 'approval:pay' }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await log.getByText('The bill is paid.', { exact: true }).waitFor();
    await page.reload();
    await log.getByText('The bill is paid.', { exact: true }).waitFor();
  } catch (error) {
    const shown = await page.locator('body').innerText().catch(String);
    throw new Error(`${String(error)}\nThe page shows: ${shown}\n${problems.join('\n')}`, { cause: error });
  }
  if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`);
}

/** @param {import('./consumers.mjs').Stage} stage @param {string} folder */
async function checkElement({ browser }, folder) {
  const server = await serve(folder);
  const context = await browser.newContext();
  context.setDefaultTimeout(30_000);
  try {
    await visit(await context.newPage(), server.url);
  } finally {
    await context.close();
    server.stop();
  }
}

/** @param {string} name @param {Readonly<Record<string, string>>} dependencies @param {readonly string[]} check the type check, as arguments of node */
const built = (name, dependencies, check) => ({
  name: `element-${name}`,
  /** @type {Consumer['run']} */
  async run(folder, stage) {
    const all = { typescript: '5.9', vite: '^8.0.0', ...dependencies };
    const project = await createProject({ folder, template: `element-${name}`, files: {}, dependencies: all }, stage);
    await project.node(...check);
    await project.node('node_modules/vite/bin/vite.js', 'build');
    await checkElement(stage, join(folder, 'dist'));
  },
});

const tsc = ['node_modules/typescript/bin/tsc'];
const angular = '^22.0.0';
const reacts = { react: '19', 'react-dom': '19', '@types/react': '19', '@types/react-dom': '19' };

/** @type {readonly Consumer[]} */
export const elements = [
  built('vue', { vue: '^3.5.0', '@vitejs/plugin-vue': '^6.0.0', 'vue-tsc': '^3.0.0' }, [
    'node_modules/vue-tsc/bin/vue-tsc.js',
  ]),
  built('svelte', { svelte: '^5.0.0', '@sveltejs/vite-plugin-svelte': '^7.0.0', 'svelte-check': '^4.0.0' }, [
    'node_modules/svelte-check/bin/svelte-check',
  ]),
  built('solid', { 'solid-js': '^1.9.0', 'vite-plugin-solid': '^2.11.0' }, tsc),
  built('preact', { preact: '^11.0.0' }, tsc),
  built('react', { ...reacts, '@vitejs/plugin-react': '^6.0.0' }, tsc),
  built(
    'angular',
    {
      '@angular/common': angular,
      '@angular/compiler': angular,
      '@angular/core': angular,
      '@angular/platform-browser': angular,
      rxjs: '^7.8.0',
    },
    tsc,
  ),
  {
    name: 'element-html',
    async run(folder, stage) {
      await createProject({ folder, template: 'element-html', files: {}, dependencies: {} }, stage);
      cpSync(join(folder, 'node_modules/brooklet/dist/brooklet-chat.min.js'), join(folder, 'brooklet-chat.min.js'));
      await checkElement(stage, folder);
    },
  },
];
