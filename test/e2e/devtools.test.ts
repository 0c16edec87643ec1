import type { Page } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('support/devtools', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

const launcher = (page: Page) => page.getByRole('button', { name: 'Brooklet devtools' });
const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.textContent;
  });

/** Whether the drawer shows what it is styled to show: at the foot of the page, over its whole width. */
const isStyled = (page: Page): Promise<boolean> =>
  page.getByRole('region', { name: 'Brooklet devtools' }).evaluate((drawer) => {
    const { left, right, bottom, height } = drawer.getBoundingClientRect();
    return left === 0 && right === innerWidth && bottom === innerHeight && height < innerHeight;
  });

/** Whether the drawer is bright. */
const brightness = (page: Page): Promise<'light' | 'dark'> =>
  page.getByRole('region', { name: 'Brooklet devtools' }).evaluate((drawer) => {
    const [red = 0] = getComputedStyle(drawer).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
    return red > 128 ? 'light' : 'dark';
  });

it('the devtools work in a production page under a strict policy, with the keyboard alone, and axe finds nothing', async () => {
  const files: string[] = [];
  const listen = (request: { url(): string }): void => void files.push(request.url());
  browser().context.on('request', listen);
  const { page } = await browser().open(site().freshURL());
  await launcher(page).waitFor();
  // Of two mounts the one that was asked for is there, and nothing of its drawer has been loaded.
  expect(await launcher(page).count()).toBe(1);
  const before = files.length;

  await page.evaluate(() => globalThis.send('First'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Brooklet devtools' }).waitFor();
  expect(files.length).toBeGreaterThan(before);
  expect(await isStyled(page)).toBe(true);
  await eventually(() => focused(page)).toBe('Log');

  await page.getByRole('button', { name: /run\.ended/ }).waitFor();
  await page.evaluate(() => globalThis.send('Second'));
  await eventually(() => page.getByRole('button', { name: /run\.ended/ }).count()).toBe(2);

  const panels = ['Log', 'State', 'Requests', 'Review'];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The drawer has the theme of the page.
    await eventually(() => brightness(page)).toBe(colorScheme);
    for (const name of panels) {
      await eventually(() => focused(page)).toBe(name);
      if (name === 'Review') await page.getByRole('region', { name: 'What the person saw' }).waitFor();
      expect(await violationsOf(page), `${name}, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('ArrowRight');
    }
  }

  await page.keyboard.press('ArrowLeft');
  const seen = page.getByRole('region', { name: 'What the person saw' });
  await seen
    .getByText(/<b>It<\/b> is there https:\/\/evil\.example/)
    .first()
    .waitFor();
  expect(await seen.locator('a, img').count()).toBe(0);
  // Keys outside the drawer are those of the page.
  await page.getByRole('textbox', { name: 'Composer' }).pressSequentially('/ ');
  expect(await page.getByRole('textbox', { name: 'Composer' }).inputValue()).toBe('/ ');
  await page.getByRole('button', { name: 'Previous step' }).focus();
  await page.keyboard.press('Home');
  await seen.getByText('Nothing yet.').waitFor();

  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Brooklet devtools' }).waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Brooklet');
  await page.evaluate(() => globalThis.unmount());
  expect(await launcher(page).count()).toBe(0);
  expect(await page.evaluate(() => document.body.children.length)).toBe(1);
  expect(files.filter((url) => url.includes('evil'))).toEqual([]);
});
