import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { chinese as chatChinese, english as chat } from 'brooklet/ui';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { en } from '../../demo/src/texts/en/en.ts';
import type { AllTexts } from '../../demo/src/texts/en/rooms.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { eventually } from './support/eventually.ts';
import { pressOn, tabTo } from './support/keyboard.ts';
import { setStage } from './support/stage.ts';
import {
  ask,
  button,
  composer,
  conversation,
  dialogClosed,
  openSettings,
  sections,
  textOf,
  connectTo,
} from './support/studio.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });
const passphrase = 'correct horse battery';
const english: AllTexts = { ...en, ...roomsEn };

/** Connects to the server of the stage with a key. */
async function connect(page: Page, words: AllTexts): Promise<void> {
  await composer(page).waitFor();
  await openSettings(page, sections.model);
  stage.wire.mock.onMessage('Hi', { content: 'Hi.' });
  await connectTo(page, { baseURL: stage.wire.baseURL, key: canary }, words);
}

/** The requests for answers, without the tests of the key. */
const asked = () => stage.wire.exchanges.filter(({ body }) => JSON.stringify(body.messages).includes('rivers'));

/** Encrypts the keys by keyboard. The settings stay open. */
async function protect(page: Page, { keys: words }: AllTexts): Promise<void> {
  await openSettings(page, sections.keys);
  await pressOn(page, page.getByRole('radio', { name: words.inMemory }), 'ArrowRight');
  await tabTo(page, page.getByLabel(words.newPassphrase));
  await page.keyboard.type(passphrase);
  await page.keyboard.press('Tab');
  await page.keyboard.type(passphrase);
  await page.keyboard.press('Enter');
  await button(page, words.lockNow).waitFor();
}

/** Everything that the page has stored, as text: bytes as Latin-1. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('The database failed.')));
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await settled(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        found.push(await settled(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    return JSON.stringify(found, (_key, value: unknown) =>
      value instanceof ArrayBuffer ? String.fromCharCode(...new Uint8Array(value)) : value,
    );
  });
}

/** `LANGUAGES=1` plays the first of them alone. */
const languages: readonly (readonly [string, AllTexts])[] = [
  ['English', english],
  ['Chinese', zh],
];

describe.each(languages.slice(0, Number(process.env.LANGUAGES ?? 2)))('the keys of Studio, in %s', (_name, words) => {
  it('are encrypted, and after a reload the passphrase sends the waiting message', { timeout: 120_000 }, async () => {
    const { key } = words.locale === 'en' ? chat : chatChinese;
    stage.wire.mock.onMessage('rivers', { content: 'Rivers begin small.' });
    const { page } = await stage.browser.open('about:blank');
    await page.addInitScript(
      (language) => localStorage.setItem('brooklet-studio:language', language),
      words.locale === 'en' ? 'en' : 'zh',
    );
    await page.goto(stage.site.freshURL());
    await connect(page, words);
    await protect(page, words);
    await page.getByText(words.keys.endsIn(canary.slice(-4))).waitFor();
    await page.keyboard.press('Escape');
    await dialogClosed(page);

    await page.reload();
    await page.getByText(words.composer.keysLocked).waitFor();
    await ask(page, 'Tell me of rivers.');
    const card = conversation(page).locator('.unlock-card');
    await card.waitFor();
    expect(asked()).toEqual([]);
    const field = card.getByLabel(key.passphrase);
    await tabTo(page, field, 'Shift+Tab');
    await page.keyboard.type('a wrong passphrase');
    await page.keyboard.press('Enter');
    await card.getByText(key.problems.wrongPassphrase).waitFor();
    await eventually(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type(passphrase);
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    await card.waitFor({ state: 'detached' });
    expect((await textOf(page)).match(/Tell me of rivers/g)).toHaveLength(1);
    expect(asked().map(({ headers }) => headers.authorization)).toEqual([`Bearer ${canary}`]);
    // The focus is not at the start of the page.
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

    const stored = await storedText(page);
    expect(stored).toContain('Tell me of rivers');
    for (const part of [canary, canary.slice(3, 15), passphrase]) expect(stored).not.toContain(part);
  });
});

describe('the keys of Studio', () => {
  it('are unlocked before a message, locked again, erased, and kept in memory', { timeout: 120_000 }, async () => {
    stage.wire.mock.onMessage('rivers', { content: 'Rivers begin small.' });
    const { page } = await stage.browser.open(stage.site.freshURL());
    const { keys: words } = english;
    await connect(page, english);
    await protect(page, english);
    await pressOn(page, button(page, words.lockNow));
    await page.getByText(words.lockedState, { exact: true }).waitFor();
    expect(await page.getByRole('dialog').evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');

    await button(page, english.composer.unlock).click();
    await page.getByLabel(words.passphrase).fill(passphrase);
    await page.keyboard.press('Enter');
    await dialogClosed(page);
    await ask(page, 'Tell me of rivers.');
    await eventually(() => textOf(page)).toContain('Rivers begin small.');

    // Back to the memory: the next reload clears the key.
    await openSettings(page, sections.keys);
    await pressOn(page, page.getByRole('radio', { name: words.encrypted }), 'ArrowLeft');
    await page.getByText(words.inMemoryText).waitFor();
    await page.getByText(words.endsIn(canary.slice(-4))).waitFor();
    await protect(page, english);
    await page.keyboard.press('Escape');
    await page.reload();
    await button(page, english.composer.unlock).click();
    await button(page, chat.key.forgotten).click();
    await button(page, chat.key.erase).click();
    await dialogClosed(page);
    await page.getByText(english.composer.noKeyYet(stage.wire.host)).waitFor();
    expect(await composer(page).isVisible()).toBe(true);
    expect(await button(page, 'Send').isDisabled()).toBe(true);
  });
});

describe('everything that Studio keeps', () => {
  it('is erased with one button, in every tab', { timeout: 120_000 }, async () => {
    stage.wire.mock.onMessage('rivers', { content: 'Rivers begin small.' });
    const { page } = await stage.browser.open(stage.site.freshURL());
    const { storage: words } = english;
    await connect(page, english);
    await protect(page, english);
    await page.keyboard.press('Escape');
    await ask(page, 'Tell me of rivers.');
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await eventually(() => textOf(other)).toContain('Rivers begin small.');
    expect(await storedText(page)).toContain('Tell me of rivers');

    await openSettings(page, sections.storage);
    await pressOn(page, button(page, words.erase));
    await page.getByText(words.eraseText).waitFor();
    // The harmless choice has the focus.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(english.common.cancel);
    await page.keyboard.press('Enter');
    await eventually(() => button(page, words.erase).evaluate((its) => its === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, words.erase));
    await page.keyboard.press('Enter');

    await eventually(() => page.url()).not.toContain('#');
    await composer(page).waitFor();
    await eventually(() => textOf(other)).not.toContain('Rivers');
    for (const its of [page, other]) {
      const stored = await storedText(its);
      for (const part of ['rivers', 'Rivers', 'api.', stage.wire.host, 'gpt-5-mini'])
        expect(stored).not.toContain(part);
    }
    // Both tabs begin anew.
    await other.reload();
    await composer(other).waitFor();
    expect(await textOf(other)).not.toContain('Rivers');
  });
});
