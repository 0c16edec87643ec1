// Uses a consumer's page as a person does: sends a message, reads the answer, reloads.

import { answer, question } from './servers.mjs';

/** @typedef {import('playwright').Page} Page */

/**
 * Collects what must not happen on a page: uncaught errors, and errors in the console, violations of a policy among them.
 *
 * @param {Page} page
 */
export function watch(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) problems.push(message.text());
  });
  page.on('dialog', (dialog) => void dialog.accept('sk-test'));
  return problems;
}

/** @param {Page} page @param {string} text @param {string} [name] of the field */
export async function send(page, text, name = '') {
  // The last one: a page may have a field for a key before that of the message.
  const field = page.getByRole('textbox', { name }).last();
  await field.fill(text);
  await field.press('Enter');
}

/** Enters a key where the page asks for one. @param {Page} page */
async function enterKey(page) {
  await page.getByRole('textbox').first().waitFor();
  const key = page.locator('input[type=password]');
  if ((await key.count()) === 0) return;
  await key.fill('sk-test');
  await key.press('Enter');
}

/** @param {Page} page @param {readonly string[]} texts */
export async function expectTexts(page, ...texts) {
  for (const text of texts) await page.getByText(text, { exact: true }).first().waitFor({ timeout: 30_000 });
}

/**
 * Throws unless the page answers a message, and unless both are there after a reload.
 *
 * @param {Page} page
 * @param {string} url
 * @param {{ more?: ((page: Page) => Promise<void>) | undefined, reply?: string | undefined }} [options] `more`: after the first answer
 */
export async function checkChat(page, url, { more, reply = answer } = {}) {
  const problems = watch(page);
  try {
    await page.goto(url);
    await enterKey(page);
    await send(page, question);
    await expectTexts(page, question, reply);
    await more?.(page);
    await page.reload();
    await expectTexts(page, question, reply);
  } catch (error) {
    const shown = await page.locator('body').innerText().catch(String);
    throw new Error(`${String(error)}\nThe page shows: ${shown}\n${problems.join('\n')}`, { cause: error });
  }
  if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`);
}

/** Approves the call of the README's tool. @param {Page} page */
export async function approvePayment(page) {
  await send(page, 'Pay the bill');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expectTexts(page, 'The bill is paid.');
}

/** What the script of create-brooklet's templates answers. */
export const scriptedReply = `You said “${question}”. I am a script: connect a model in src/agent.ts. Or write “Remember the milk” to see a tool that needs your approval.`;

/** Approves the call of the templates' tool. @param {Page} page */
export async function approveNote(page) {
  await send(page, 'Remember the milk');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expectTexts(page, 'I have saved it.');
}
