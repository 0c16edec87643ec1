import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBrowser } from './support/browser.ts';
import { setSite } from './support/stage.ts';

const site = setSite(new URL('support/encrypted', import.meta.url));
const passphrase = 'correct horse battery';

/** Returns the files of a profile that contain a text, in UTF-8 or UTF-16. */
async function filesWith(profile: string, text: string): Promise<readonly string[]> {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  const entries = await readdir(profile, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      return needles.some((needle) => bytes.includes(needle)) ? [path] : [];
    }),
  );
  return found.flat();
}

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
