import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('./support/ui', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
const screen = { width: 390, height: 844 };
/** What the keyboard of a phone leaves of the screen. */
const keyboard = 336;

let page: Page;
beforeAll(async () => {
  const context = await browser()
    .context.browser()
    ?.newContext({ viewport: screen, isMobile: true, hasTouch: true, deviceScaleFactor: 3, reducedMotion: 'reduce' });
  page = (await context?.newPage()) ?? expect.unreachable();
  await page.goto(site().freshURL());
  await field().waitFor();
});
afterAll(() => page?.context().close());

const field = () => page.locator('[data-part=composer] textarea');
const box = async (css: string) => (await page.locator(css).last().boundingBox()) ?? expect.unreachable();
const ask = async (text: string): Promise<void> => {
  await field().tap();
  await field().fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
};

it('breaks the line with Enter, and sends with the button', async () => {
  await field().tap();
  await page.keyboard.type('A report');
  await page.keyboard.press('Enter');
  await page.keyboard.type('of brooks, please');
  expect(await field().inputValue()).toBe('A report\nof brooks, please');
  expect(await field().getAttribute('enterkeyhint')).toBe('enter');
  expect(await page.locator('[data-part=question]').count()).toBe(0);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await page.locator('.bk-note').waitFor();
  expect(await page.locator('[data-part=question]').innerText()).toContain('A report\nof brooks, please');
});

it('keeps the field and the end of the answer above the keyboard', async () => {
  await ask('A short word');
  await page.getByRole('log').getByText('You said: A short word').waitFor();
  await field().tap();
  // The page has `interactive-widget=resizes-content`: the keyboard makes it smaller.
  await page.setViewportSize({ ...screen, height: screen.height - keyboard });
  await eventually(async () => {
    const { y, height } = await box('[data-part=composer]');
    return Math.round(y + height);
  }).toBeLessThanOrEqual(screen.height - keyboard);
  const composer = await box('[data-part=composer]');
  await eventually(async () => {
    const { y, height } = await box('[data-part=answer] [data-part=markdown]');
    return Math.round(y + height);
  }).toBeLessThanOrEqual(Math.round(composer.y));
  expect(await page.evaluate(() => [scrollX, scrollY, document.activeElement?.tagName])).toEqual([0, 0, 'TEXTAREA']);
  await page.setViewportSize(screen);
});

it('keeps a long draft, and the end of the conversation, in view on a screen with a keyboard', async () => {
  await page.setViewportSize({ ...screen, height: screen.height - keyboard });
  await field().fill(Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n'));
  const scroller = await box('.bk-scroller');
  expect(scroller.height).toBeGreaterThan(100);
  const send = await box('.bk-round[data-state=send]');
  expect(send.y + send.height).toBeLessThanOrEqual(screen.height - keyboard);
  await field().fill('');
  await page.setViewportSize(screen);
});

it('keeps the field in view however many messages and files wait', async () => {
  await page.setViewportSize({ ...screen, height: screen.height - keyboard });
  await ask('Please pay');
  await page.locator('[data-part=chat][data-state=waiting]').waitFor();
  for (let number = 0; number < 14; number++) await ask(`And ${number}`);
  await eventually(() => page.locator('[data-part=queue] li').count()).toBe(14);
  await page.locator('[data-part=composer] input[type=file]').setInputFiles(
    Array.from({ length: 8 }, (_, index) => ({
      name: `a note of some length, number ${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('A brook.'),
    })),
  );
  await eventually(() => page.locator('.bk-attachments li').count()).toBe(8);
  const { y, height } = await box('[data-part=composer]');
  expect(y + height).toBeLessThanOrEqual(screen.height - keyboard);
  expect((await box('.bk-scroller')).height).toBeGreaterThan(50);
  await page.reload();
  await page.setViewportSize(screen);
  await ask('A report');
  await page.locator('.bk-note').waitFor();
});

it('keeps what can be touched out of the corners and off the home indicator', async () => {
  const devtools = await page.context().newCDPSession(page);
  const insets = { top: 47, bottom: 34, left: 50, right: 50 };
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
  await eventually(async () => (await box('.bk-box')).x).toBeGreaterThanOrEqual(insets.left);
  for (const css of ['.bk-box', '[data-part=answer]', '[data-part=question]']) {
    const { x, width } = await box(css);
    expect([css, x >= insets.left, x + width <= screen.width - insets.right]).toEqual([css, true, true]);
  }
  const { y, height } = await box('.bk-box');
  expect(y + height).toBeLessThanOrEqual(screen.height - insets.bottom);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 0, bottom: 0, left: 0, right: 0 } });
});

it('has no button that is too small for a finger, and no field that makes the browser zoom', async () => {
  await ask('Please pay');
  await page.locator('[data-part=approval]').waitFor();
  await page.getByRole('button', { name: 'Edit input' }).tap();
  await page.locator('[data-part=schema-form]').waitFor();
  const small = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll<HTMLElement>(
        '[data-part=chat] :is(button, select, input, textarea):enabled, [data-part=chat] summary',
      ),
    )
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1)
      .filter((one) => {
        // The label around a box or a choice is touched, too.
        const { width, height } = (one.closest('label') ?? one).getBoundingClientRect();
        return Math.min(width, height) < 24;
      })
      .map((one) => one.outerHTML.slice(0, 200)),
  );
  expect(small).toEqual([]);
  // Below 16 px iOS zooms into a field that is touched.
  const fields = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll(
        '[data-part=chat] :is(textarea, select, input:not([type=radio], [type=file], [type=checkbox]))',
      ),
    )
      .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16)
      .map((one) => one.outerHTML),
  );
  expect(fields).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
