import type { Page } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('./support/ui', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

const field = (page: Page) => page.locator('[data-part=composer] textarea');
const open = async (messages: number, hash = ''): Promise<Page> => {
  const { page } = await browser().open(`${site().freshURL()}?messages=${messages}${hash}`);
  await field(page).waitFor();
  return page;
};

it('10,000 messages are opened at their end, and go on', async () => {
  const page = await open(10_000);
  await page.getByText('This is message 9999 of the history.').waitFor();
  expect(await page.locator('[data-part=question]').count()).toBeLessThanOrEqual(61);
  await field(page).fill('And now?');
  await field(page).press('Enter');
  await page.getByRole('log').getByText('You said: And now?').waitFor();
  await page.getByRole('button', { name: /^Show 98\d\d earlier messages$/u }).click();
  await page.getByRole('article').getByText('This is message 9800 of the history.').waitFor();
});

it('the search of the browser finds a message that no row shows', async () => {
  // A link to a text searches as Ctrl F does.
  const page = await open(1_000, '#:~:text=This%20is%20message%20500%20of');
  const found = page.locator('.bk-earlier p', { hasText: 'message 500 of' });
  await eventually(() => found.evaluate((its) => its.hasAttribute('hidden'))).toBe(false);
  expect(await found.evaluate((its) => its.getBoundingClientRect().height)).toBeGreaterThan(0);
  expect(await page.locator('.bk-earlier p', { hasText: 'message 400 of' }).getAttribute('hidden')).toBe('until-found');
});

it('a print has every message, and nothing that can be pressed', async () => {
  const page = await open(400);
  const hidden = page.locator('.bk-earlier p').first();
  expect(await hidden.evaluate((its) => its.getBoundingClientRect().height)).toBe(0);
  await page.emulateMedia({ media: 'print' });
  expect(await hidden.evaluate((its) => its.getBoundingClientRect().height)).toBeGreaterThan(0);
  expect(await page.locator('[data-part=composer], [data-part=chat] button').filter({ visible: true }).count()).toBe(0);
  // The page is as long as its messages: nothing is cut by what scrolls on a screen.
  const lengths = await page.evaluate(() => [
    document.querySelector('.bk-column')?.getBoundingClientRect().height ?? 0,
    document.documentElement.scrollHeight,
  ]);
  expect(lengths[1]).toBeGreaterThanOrEqual(lengths[0] ?? Infinity);
});
