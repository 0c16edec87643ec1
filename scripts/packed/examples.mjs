// Builds examples/ against the packed package, and uses each page in a browser.

import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from '../manifest.mjs';
import { send, watch } from './chat-page.mjs';
import { withExtension } from './extension.mjs';
import { createExamples, run } from './project.mjs';
import { serve } from '../serve-folder.mjs';
import { answer, question } from './servers.mjs';

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
  async 'model-picker'(page, { baseURL }) {
    await page.getByLabel('Message').fill(question);
    await page.getByRole('button', { name: 'Send' }).click();
    await expectText(page, 'No model is chosen.');
    await page.getByLabel('Provider').selectOption('other');
    await page.getByLabel('Model').fill('gpt-5-mini');
    await page.getByLabel('Address').fill(baseURL);
    await page.getByLabel('API key').fill('sk-test');
    await page.getByRole('button', { name: 'Use this model' }).click();
    await page.getByLabel('Passphrase').fill('correct horse');
    await page.getByRole('button', { name: 'Store the keys' }).click();
    // The draft has stayed.
    await page.getByRole('button', { name: 'Send' }).click();
    await expectText(page, answer);
    await page.reload();
    await expectText(page, 'gpt-5-mini of other');
    await page.getByLabel('Passphrase').fill('correct horse');
    await page.getByRole('button', { name: 'Unlock the keys' }).click();
    await page.getByLabel('Passphrase').waitFor({ state: 'hidden' });
    await send(page, question, 'Message');
    await page.getByText(answer).nth(1).waitFor({ timeout: 30_000 });
  },
  async agents(page) {
    await page.getByRole('button', { name: 'Ask two researchers' }).click();
    await page.getByRole('button', { name: 'Approve' }).nth(1).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).nth(1).waitFor();
    await page.getByRole('button', { name: 'Approve' }).first().click();
    await page.getByRole('button', { name: 'Reject' }).first().click();
    await expectText(page, 'Both are back.');
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
  async outliving(page) {
    await expectText(page, 'A worker drives');
    await send(page, question, 'Message');
    await expectText(page, 'word 5,');
    await page.reload();
    await expectText(page, 'and that is all.');
  },
  async plain(page) {
    await send(page, 'Hello', 'Message');
    await expectText(page, 'You said “Hello”.');
    await page.reload();
    await expectText(page, 'You said “Hello”.');
  },
  async embed(page) {
    await send(page, 'Show the open orders', 'Message');
    await expectText(page, 'Done.');
    await page.getByRole('cell', { name: 'A-2' }).waitFor({ state: 'detached' });
    await send(page, 'Mark A-1 as paid', 'Message');
    await page.getByRole('button', { name: 'Allow: mark_paid' }).click();
    await page.getByRole('cell', { name: 'A-1' }).waitFor({ state: 'detached' });
  },
  async 'assistant-ui'(page) {
    await send(page, 'Pay the invoice.', 'Message');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expectText(page, 'The payment is succeeded. That is all that I can tell.');
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Edit' }).fill('Pay another one.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectText(page, 'Pay another one.');
    await page.getByRole('button', { name: 'Approve' }).click();
    await expectText(page, 'The payment is succeeded. That is all that I can tell.');
  },
};

/** Uses the remote agent: it asks, the page is reloaded, and the decision continues its run. @param {Page} page */
async function visitRemoteAgent(page) {
  await send(page, 'Send a mail', 'Message');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectText(page, 'The mail is sent.');
}

/** Uses the page of the extension as its user does. @param {Page} page @param {string} baseURL */
async function visitExtension(page, baseURL) {
  await page.getByLabel('Address').fill(baseURL);
  await page.getByRole('button', { name: 'Connect' }).click();
  await send(page, question, 'Message');
  await expectText(page, answer);
}

/**
 * @param {import('playwright').BrowserContext} context
 * @param {string} name
 * @param {string} url
 * @param {(page: Page) => Promise<unknown>} visit
 */
async function check(context, name, url, visit) {
  const page = await context.newPage();
  const problems = watch(page);
  await page.goto(url);
  await visit(page).catch(async (error) => {
    throw new Error(`${name}: ${String(error)}\n${await page.locator('body').innerText()}\n${problems.join('\n')}`);
  });
  if (problems.length > 0) throw new Error(`${name} reported errors:\n${problems.join('\n')}`);
}

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
      await check(context, name, `${site.url}${name}/`, (page) =>
        visit(page, { url: site.url, baseURL: stage.baseURL }),
      );
      await context.close();
    }
  } finally {
    site.stop();
  }
  await checkRemoteAgent(folder, stage);
  await run(folder, 'npm', ['run', 'extension']);
  await withExtension(join(folder, 'dist-extension'), stage, (context, origin) =>
    check(context, 'extension', `${origin}index.html`, (page) => visitExtension(page, stage.baseURL)),
  );
}

/** The server of the examples runs the remote agent. @param {string} folder @param {import('./consumers.mjs').Stage} stage */
async function checkRemoteAgent(folder, stage) {
  const configFile = join(folder, 'vite.config.js');
  const server = await createServer({ root: folder, configFile, server: { host: '127.0.0.1', port: 0 } });
  const context = await stage.browser.newContext();
  try {
    await server.listen();
    const [url = ''] = server.resolvedUrls?.local ?? [];
    await check(context, 'agui', `${url}agui/`, visitRemoteAgent);
  } finally {
    await context.close();
    await server.close();
  }
}
