// Loads an unpacked extension (manifest version 3) and uses its page.

import { chromium } from 'playwright';
import { launchArgs } from '../find-browser.mjs';
import { checkChat } from './chat-page.mjs';

/** @param {string} folder @param {import('./consumers.mjs').Stage} stage */
export function checkExtension(folder, stage) {
  return withExtension(folder, stage, async (context, origin) =>
    checkChat(await context.newPage(), `${origin}chat.html`),
  );
}

/**
 * @param {string} folder of the extension
 * @param {import('./consumers.mjs').Stage} stage
 * @param {(context: import('playwright').BrowserContext, origin: string) => Promise<void>} visit `origin` ends with a slash
 */
export async function withExtension(folder, { executablePath }, visit) {
  const context = await chromium.launchPersistentContext(`${folder}-profile`, {
    executablePath,
    // Playwright's headless mode has no extensions; the browser's own has.
    headless: false,
    args: [...launchArgs, '--headless=new', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 30_000 }));
    await visit(context, new URL('/', worker.url()).href);
  } finally {
    await context.close();
  }
}
