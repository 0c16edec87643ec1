import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startBrowser } from './support/browser.ts';
import { filesWith } from './support/files-with.ts';
import { setSite } from './support/stage.ts';

const site = setSite(new URL('support/encrypted', import.meta.url));
const passphrase = 'correct horse battery';

/** Lets a page write the canary, and returns the files that contain it when the browser is closed. */
async function filesAfter(canary: string, its?: string): Promise<readonly string[]> {
  const browser = await startBrowser();
  try {
    const url = site().freshURL();
    const tab = await browser.open(url);
    await tab.page.evaluate(([text, word]) => globalThis.encrypted.write(text, word), [canary, its] as const);
    if (its !== undefined) {
      const later = await browser.open(url);
      expect(await later.page.evaluate((word) => globalThis.encrypted.titles(word), its)).toEqual([canary]);
    }
    await browser.context.close();
    return await filesWith(browser.profile, canary);
  } finally {
    await browser.close();
  }
}

test('no text of an encrypted session is in the files of the browser, where that of another one is', async () => {
  // At random, so that the database cannot compress the text; in small letters, as the search has it.
  const canary = `c${randomBytes(12).toString('hex')}`;
  expect(await filesAfter(canary)).not.toEqual([]);
  expect(await filesAfter(canary, passphrase)).toEqual([]);
}, 60_000);
