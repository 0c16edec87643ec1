import type { Page } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';
import { ask, button, composer, hear } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const box = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? expect.unreachable();

it('Studio is mirrored where its language is written from the right, at any width', async () => {
  const { page } = await browser().open(site().freshURL());
  await composer(page).waitFor();
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  await hear(page, 'What time is it in Tokyo, and what is 17.5% of 240?', 'is 42');
  const [sidebar, main] = [await box(page, '.sidebar'), await box(page, 'main')];
  expect(sidebar.x).toBeGreaterThanOrEqual(main.x + main.width - 1);
  expect(await overflow(page)).toBe(0);
  // A person's message is at the end of its line: here at the left.
  const [bubble, answer] = [await box(page, '.bk-bubble'), await box(page, '.bk-answer')];
  expect(bubble.x - answer.x).toBeLessThan(20);

  // Code reads from the left, and a paragraph in the direction of its own text.
  const [code] = await page.locator('.bk-markdown code').all();
  expect(await code?.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
  const paragraph = page.locator('.bk-markdown p').first();
  expect(await paragraph.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('plaintext');

  // A menu stays in the window.
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .press('Enter');
  const menu = await box(page, '[role=menu]');
  expect(menu.x).toBeGreaterThanOrEqual(0);
  expect(menu.x + menu.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBe(0);
  await button(page, 'Sessions').click();
  await eventually(async () => {
    const { x, width } = await box(page, '.sidebar');
    return Math.round(x + width);
  }).toBe(390);
  expect(await overflow(page)).toBe(0);
  await page.keyboard.press('Escape');

  // A text in Arabic reads from the right also where the interface does not.
  await page.evaluate(() => (document.documentElement.dir = 'ltr'));
  await ask(page, 'مرحبا بالعالم');
  await page.getByText('مرحبا بالعالم').first().waitFor();
  const direction = await page
    .locator('.bk-question')
    .last()
    .locator('[dir=auto], bdi')
    .first()
    .evaluate((element) => getComputedStyle(element).direction);
  expect(direction).toBe('rtl');
});
