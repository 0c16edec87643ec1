import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { AllTexts } from '../../demo/src/texts/en/rooms.ts';
import { en } from '../../demo/src/texts/en/en.ts';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';
import { violationsOf } from './support/axe.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { connectProtected, passphrase } from './support/encrypting.ts';
import { eventually } from './support/eventually.ts';
import { isFocused, pressOn, tabTo } from './support/keyboard.ts';
import { setStage } from './support/stage.ts';
import { inEachTheme, setWidth, viewsOf } from './support/views.ts';
import { button, composer, dialogClosed, palette, textOf } from './support/studio.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });
const english: AllTexts = { ...en, ...roomsEn };
const hour = 3_600_000;

/** Lets the clock of a page be ahead from its next load on. */
const setAhead = (page: Page, ms: number): Promise<unknown> =>
  page.addInitScript((by) => {
    const { now } = Date;
    Date.now = () => now() + by;
  }, ms);

/** Connects to the server of the stage with a key that a passphrase protects. */
async function connect(page: Page): Promise<void> {
  stage.wire.mock.onMessage('Hi', { content: 'Hi.' });
  stage.wire.mock.onMessage('lakes', { content: 'Lakes are still.' });
  await composer(page).waitFor();
  await connectProtected(page, stage.wire.baseURL);
}

/** Plans a message for in an hour, by keyboard. */
async function plan(page: Page, { palette: commands, later }: AllTexts, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill(commands.sendLater);
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: later.text });
  await field.waitFor();
  await eventually(() => isFocused(field)).toBe(true);
  await page.keyboard.type(text);
  await pressOn(page, button(page, later.plan));
  await dialogClosed(page);
}

const notice = (page: Page, words: AllTexts, count = 1) => page.getByText(words.shell.plannedLocked(count));
const unlockBeside = (page: Page, words: AllTexts) =>
  page.locator('.network-notice').getByRole('button', { name: words.composer.unlock });
const asked = () => stage.wire.exchanges.filter(({ body }) => JSON.stringify(body.messages).includes('lakes'));

/** Opens Studio with a message that has become due while the keys are locked. */
async function openDue(words: AllTexts): Promise<Page> {
  const { page } = await stage.browser.open(stage.site.freshURL());
  await connect(page);
  await page.addInitScript(
    (language) => localStorage.setItem('brooklet-studio:language', language),
    words.locale === 'en' ? 'en' : 'zh',
  );
  await page.reload();
  await page.getByText(words.composer.keysLocked).waitFor();
  await plan(page, words, 'Tell me of lakes.');
  expect(await notice(page, words).count()).toBe(0);
  await setAhead(page, 2 * hour);
  await page.reload();
  await notice(page, words).waitFor();
  return page;
}

describe.each([
  ['English', english],
  ['Chinese', zh],
] as const)('a planned message that is due while the keys are locked, in %s', (_name, words) => {
  it('waits, and is sent once the notice has led to the passphrase, by keyboard', { timeout: 120_000 }, async () => {
    const page = await openDue(words);
    for (const [width, themes] of viewsOf(4)) {
      await setWidth(page, width);
      expect(await inEachTheme(page, themes, violationsOf)).toEqual([]);
    }
    expect(asked()).toEqual([]);
    await pressOn(page, unlockBeside(page, words));
    // Escape leaves all as it is.
    await page.getByLabel(words.keys.passphrase).waitFor();
    await page.keyboard.press('Escape');
    await dialogClosed(page);
    await notice(page, words).waitFor();
    await pressOn(page, unlockBeside(page, words));
    const field = page.getByLabel(words.keys.passphrase);
    await field.waitFor();
    await eventually(() => isFocused(field)).toBe(true);
    await page.keyboard.type(passphrase);
    await page.keyboard.press('Enter');
    await dialogClosed(page);
    await eventually(() => textOf(page)).toContain('Lakes are still.');
    await notice(page, words).waitFor({ state: 'detached' });
    expect(asked().map(({ headers }) => headers.authorization)).toEqual([`Bearer ${canary}`]);
    // The button that had the focus is gone.
    expect(await isFocused(composer(page))).toBe(true);
  });
});

describe('a planned message that is due while the keys are locked', () => {
  it('is sent once when another tab unlocks them, and both notices go', { timeout: 120_000 }, async () => {
    const page = await openDue(english);
    const { page: second } = await stage.browser.open('about:blank');
    await setAhead(second, 2 * hour);
    await second.goto(page.url());
    await notice(second, english).waitFor();
    await unlockBeside(second, english).click();
    await second.getByLabel(english.keys.passphrase).fill(passphrase);
    await second.keyboard.press('Enter');
    await dialogClosed(second);
    for (const tab of [page, second]) {
      await eventually(() => textOf(tab)).toContain('Lakes are still.');
      await notice(tab, english).waitFor({ state: 'detached' });
    }
    expect(asked()).toHaveLength(1);
  });

  it('waits no longer when it is cancelled', { timeout: 120_000 }, async () => {
    const page = await openDue(english);
    await tabTo(page, button(page, english.later.cancel('Tell me of lakes.')));
    await page.keyboard.press('Enter');
    await notice(page, english).waitFor({ state: 'detached' });
    expect(asked()).toEqual([]);
  });
});
