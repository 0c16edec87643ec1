import { randomBytes } from 'node:crypto';
import { english } from 'brooklet/ui';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { en } from '../../demo/src/texts/en/en.ts';
import { type BrowserOnDisk, startBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { filesWith } from './support/files-with.ts';
import { setSite } from './support/stage.ts';
import { encrypt, passphrase, unlock } from './support/encrypting.ts';
import { ask, button, composer, dialogClosed, openSettings, sections, textOf } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const { keys, encryption: words } = roomsEn;

/** A word that nothing else contains, at random, so that no file is compressed to less. */
const canary = (): string => `c${randomBytes(12).toString('hex')}`;

const sessions = (page: Page) => page.locator('.bk-session');

/** Sends a message, and waits until its answer is stored. */
async function say(page: Page, text: string): Promise<void> {
  const before = await sessions(page).count();
  await page.evaluate(() => (location.hash = '#/'));
  await ask(page, text);
  await page.locator('.bk-answer').last().waitFor();
  await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
  await eventually(() => sessions(page).count()).toBe(before + 1);
}

/** Runs in the page: reloads it, once, when it begins to write the second of the sessions that it decrypts. */
function leaveDuringDecryption(): void {
  const { transaction } = IDBDatabase.prototype;
  let writes = 0;
  IDBDatabase.prototype.transaction = function (...given) {
    const isDecrypting = localStorage.getItem('brooklet-studio:encryption') === 'decrypting';
    const [names, mode] = given;
    const writesSession = JSON.stringify(names) === '["list","events"]' && mode === 'readwrite';
    if (isDecrypting && writesSession && ++writes === 2 && sessionStorage.getItem('has-left') === null) {
      sessionStorage.setItem('has-left', 'true');
      location.reload();
      throw new DOMException('The page is gone.', 'AbortError');
    }
    return transaction.apply(this, given);
  };
}

async function withBrowser(act: (browser: BrowserOnDisk) => Promise<void>): Promise<void> {
  const browser = await startBrowser();
  try {
    await act(browser);
  } finally {
    await browser.close();
  }
}

describe('the encrypted conversations of Studio', { timeout: 180_000 }, () => {
  it('are unlocked by the passphrase, and are in no file of the browser', async () => {
    const [before, after, draft] = [canary(), canary(), canary()];
    await withBrowser(async (browser) => {
      const { page } = await browser.open(site().freshURL());
      await composer(page).waitFor();
      await say(page, `What is ${before}?`);
      await encrypt(page);
      await eventually(() => sessions(page).allTextContents()).toEqual([expect.stringContaining(before)]);
      await say(page, `What is ${after}?`);
      await page.evaluate(() => (location.hash = location.hash.replace('#/s/', '#/review/')));
      await page.getByRole('slider').first().waitFor();
      await page.evaluate(() => (location.hash = '#/'));
      await composer(page).fill(draft);

      // Another tab is unlocked by this one. A page without another tab asks for the passphrase before it shows a word.
      const { page: other } = await browser.open(page.url());
      await eventually(() => sessions(other).count()).toBe(2);
      await other.close();
      await page.reload();
      await page.getByRole('heading', { name: words.lockedTitle }).waitFor();
      expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(before);
      await unlock(page);
      await eventually(() => sessions(page).count()).toBe(2);
      await sessions(page).last().locator('a').click();
      await eventually(() => textOf(page)).toContain(before);

      // Locked by hand: the page shows nothing any more, and goes on where it was.
      await openSettings(page, sections.keys);
      await button(page, keys.lockNow).click();
      await page.getByRole('heading', { name: words.lockedTitle }).waitFor();
      expect(await page.evaluate(() => document.body.textContent)).not.toContain(before);
      await page.getByLabel(keys.passphrase).fill('a wrong passphrase');
      await page.keyboard.press('Enter');
      await page.getByText(english.key.problems.wrongPassphrase).waitFor();
      await page.getByLabel(keys.passphrase).fill(passphrase);
      await page.keyboard.press('Enter');
      await eventually(() => textOf(page)).toContain(before);

      await browser.context.close();
      expect(await filesWith(browser.profile, after)).toEqual([]);
      expect(await filesWith(browser.profile, draft)).toEqual([]);
    });
  });

  it('are decrypted again on request, in all tabs, also by the page after one that was closed in between', async () => {
    const texts = [canary(), canary(), canary()];
    const newPassphrase = 'another passphrase';
    await withBrowser(async (browser) => {
      const { page } = await browser.open(site().freshURL());
      await composer(page).waitFor();
      await say(page, texts[0] ?? '');
      await encrypt(page);
      await eventually(() => sessions(page).count()).toBe(1);
      for (const text of texts.slice(1)) await say(page, text);
      await openSettings(page, sections.keys);
      await page.getByText(keys.changePassphrase).first().click();
      await page.getByLabel(keys.passphrase, { exact: true }).fill(passphrase);
      await page.getByLabel(keys.newPassphrase).fill(newPassphrase);
      await page.keyboard.press('Enter');
      await page.getByText(keys.changed).waitFor();
      const { page: other } = await browser.open(page.url());
      await composer(other).waitFor();

      // The question can be declined, and the focus is where it was.
      await page.getByRole('tab').nth(sections.storage).click();
      await button(page, words.turnOff).click();
      await page.getByText(words.turnOffText).waitFor();
      await page.keyboard.press('Enter');
      await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(words.turnOff);
      await page.addInitScript(leaveDuringDecryption);
      await page.keyboard.press('Enter');
      await button(page, words.turnOff).click();
      for (const tab of [page, other]) await tab.getByRole('heading', { name: words.lockedTitle }).waitFor();

      const left = page.waitForEvent('framenavigated');
      await page.getByLabel(keys.passphrase).fill(newPassphrase);
      await page.keyboard.press('Enter');
      await left;
      // The other tab was unlocked by this one, and goes on.
      for (const tab of [page, other]) await composer(tab).waitFor({ timeout: 30_000 });
      await page.reload();
      for (const tab of [page, other]) {
        await composer(tab).waitFor();
        await eventually(() => sessions(tab).allTextContents()).toEqual(
          texts.toReversed().map((text): unknown => expect.stringContaining(text)),
        );
      }
      await sessions(page).last().locator('a').click();
      await eventually(() => textOf(page)).toContain(texts[0]);
      await openSettings(page, sections.storage);
      await page.getByText(words.off).waitFor();
      await browser.context.close();
      for (const text of texts) expect(await filesWith(browser.profile, text)).not.toEqual([]);
    });
  });

  it('keep their passphrase, and a page whose passphrase was erased goes on', async () => {
    const [text] = [canary()];
    await withBrowser(async (browser) => {
      const { page } = await browser.open(site().freshURL());
      await composer(page).waitFor();
      await say(page, text);
      await encrypt(page);

      await openSettings(page, sections.keys);
      await page.getByRole('radio', { name: keys.inMemory }).click();
      await page.getByText(words.turnOffFirst).waitFor();
      await button(page, en.common.cancel).click();
      await page.keyboard.press('Escape');
      await dialogClosed(page);
      expect(await sessions(page).count()).toBe(1);

      await page.reload();
      await button(page, english.key.forgotten).click();
      await page.getByText(words.eraseText).waitFor();
      await button(page, english.key.erase).click();
      await composer(page).waitFor();
      // The conversation is listed without its title, so that it can be deleted.
      await eventually(() => sessions(page).allTextContents()).toEqual([expect.stringContaining(en.common.untitled)]);
      await sessions(page).first().locator('a').click();
      await page.getByText(english.notice.causes.STORAGE_LOCKED ?? '').waitFor();
      await say(page, 'Thanks!');
    });
  });
});
