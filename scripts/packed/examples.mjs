// Builds examples/ against the packed package, and uses each page in a browser.

import { join } from 'node:path';
import { root } from '../manifest.mjs';
import { send, watch } from './chat-page.mjs';
import { createExamples, run } from './project.mjs';
import { answer, question, serve } from './servers.mjs';

/** @typedef {import('playwright').Page} Page @typedef {{ url: string, baseURL: string }} Site */

/** @param {Page} page @param {string} text */
const expectText = (page, text) => page.getByText(text).first().waitFor({ timeout: 30_000 });

/** What a person does on each page. @type {Readonly<Record<string, (page: Page, site: Site) => Promise<unknown>>>} */
const visits = {
  async byok(page, { baseURL }) {
    await page.getByLabel('Address').fill(baseURL);
    await page.getByLabel('API key').fill('sk-test');
    await page.getByRole('button', { name: 'Connect' }).click();
    await send(page, question, 'Message');
    await expectText(page, answer);
  },
  async 'two-agents'(page) {
    await send(page, question, 'Topic');
    await expectText(page, `Writer: ${answer}`);
    await expectText(page, 'Critic: Well said.');
  },
  async review(page) {
    await page.getByLabel('Export').setInputFiles(join(root, 'test/storage/golden/v2.jsonl'));
    await page.locator('summary').last().click();
    await expectText(page, 'tokens');
  },
  async approvals(page) {
    await page.getByRole('button', { name: 'Ask for a payment' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole('button', { name: 'Approve' }).click();
    await expectText(page, 'The payment is succeeded.');
  },
  async local(page) {
    await expectText(page, 'of Ollama');
    await send(page, question, 'Message');
    await expectText(page, answer);
  },
};

/** @type {import('./consumers.mjs').Consumer['run']} */
export async function checkExamples(folder, stage) {
  await createExamples(folder, stage);
  await run(folder, 'npm', ['run', 'build']);
  const site = await serve(join(folder, 'dist'));
  try {
    for (const [name, visit] of Object.entries(visits)) {
      const context = await stage.browser.newContext();
      // Ollama, as it is on its own machine.
      await context.route('http://localhost:11434/v1/**', (route) =>
        route.continue({ url: route.request().url().replace('http://localhost:11434/v1', stage.baseURL) }),
      );
      const page = await context.newPage();
      const problems = watch(page);
      await page.goto(`${site.url}${name}/`);
      await visit(page, { url: site.url, baseURL: stage.baseURL }).catch(async (error) => {
        throw new Error(`${name}: ${String(error)}\n${await page.locator('body').innerText()}\n${problems.join('\n')}`);
      });
      if (problems.length > 0) throw new Error(`${name} reported errors:\n${problems.join('\n')}`);
      await context.close();
    }
  } finally {
    site.stop();
  }
}
