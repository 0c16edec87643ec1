import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { faultsOfStates, type Walk } from './support/faultsOfStates.ts';
import { pressOn } from './support/keyboard.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('./support/ui', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());

const field = (page: Page) => page.locator('[data-part=composer] textarea');
const part = (page: Page, name: string) => page.locator(`[data-part=${name}]`);

async function open(query = ''): Promise<Page> {
  const { page } = await browser().open(`${site().freshURL()}${query}`);
  await field(page).waitFor();
  return page;
}

async function ask(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

const isIdle = (page: Page) => page.locator('[data-part=chat][data-state=idle]').waitFor();

const walk: Walk = [
  ['the welcome', () => Promise.resolve()],
  [
    'a report',
    async (page) => {
      await ask(page, 'Write a report');
      await page.locator('.bk-note').waitFor();
    },
  ],
  [
    'a change of a file, and reasoning',
    async (page) => {
      await ask(page, 'Fix the file');
      await part(page, 'diff').waitFor();
      await isIdle(page);
      await page.locator('[data-part=reasoning] summary').click();
    },
  ],
  [
    'an approval',
    async (page) => {
      await ask(page, 'Please pay');
      await part(page, 'approval').waitFor();
    },
  ],
  ['a draft during a run', (page) => field(page).fill('And then?')],
  ['a message in the queue', (page) => field(page).press('Enter')],
  ['an edited input', (page) => part(page, 'approval').locator('button').nth(1).click()],
  [
    'a question',
    async (page) => {
      await part(page, 'schema-form').locator('button[type=submit]').click();
      await isIdle(page);
      await ask(page, 'Book a table');
      await part(page, 'question-form').waitFor();
    },
  ],
  ['a question without an answer', (page) => part(page, 'question-form').locator('button[type=submit]').click()],
  [
    'an error',
    async (page) => {
      await part(page, 'question-form').locator('select').selectOption('Friday');
      await part(page, 'question-form').locator('input').fill('4');
      await part(page, 'question-form').locator('button[type=submit]').click();
      await isIdle(page);
      await ask(page, 'A wrong key');
      await part(page, 'run-notice').waitFor();
      await part(page, 'run-notice').locator('summary').click();
    },
  ],
  [
    'versions and an editor',
    async (page) => {
      await part(page, 'run-notice').locator('button').last().click();
      await part(page, 'run-notice').waitFor();
      await page.locator('[data-part=question]').last().hover();
      await page.locator('[data-part=question]').last().locator('.bk-verbs button').last().click();
    },
  ],
];

describe('the parts of a chat', () => {
  it.each(['en', 'zh'])('have no fault that axe finds, in each state, width and theme: %s', async (language) => {
    const found = await faultsOfStates(
      walk,
      () => open(`?lang=${language}`),
      () => browser().closeTabs(),
    );
    expect(found).toEqual([]);
  });

  it('are used with the keyboard alone', async () => {
    const page = await open();
    await pressOn(page, field(page), 'P');
    await page.keyboard.type('lease pay');
    await page.keyboard.press('Enter');
    await pressOn(page, page.getByRole('button', { name: 'Edit input' }));
    await pressOn(page, page.getByRole('spinbutton', { name: 'Amount' }), '9');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('done', { exact: true }).waitFor();
    // The form has gone: the focus is on the card of its call.
    expect(await page.evaluate(() => document.activeElement?.closest('[data-part]')?.getAttribute('data-part'))).toBe(
      'tool-call',
    );
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Paid 9 ', { exact: false }).waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Edit' }).last());
    await page.keyboard.type(' nothing');
    await page.keyboard.press('Escape');
    await pressOn(page, page.getByRole('button', { name: 'Edit' }).last());
    await page.keyboard.press('Enter');
    await part(page, 'approval').waitFor();
    // Nothing runs: Escape leaves the decision.
    await page.keyboard.press('Escape');
    await part(page, 'approval').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Reject' }), 'Enter');
    await page.keyboard.type('no');
    await page.keyboard.press('Enter');
    await part(page, 'versions').first().waitFor();
    await isIdle(page);
    await pressOn(page, part(page, 'versions').first().getByRole('button', { name: 'Previous version' }), 'Enter');
    await page.locator('[data-step=back]:focus').waitFor();
  });

  it('follow the end of an answer until the person scrolls up', async () => {
    const page = await open();
    await ask(page, 'A slow answer');
    const scroller = page.locator('.bk-scroller');
    const rest = () => scroller.evaluate((its) => Math.round(its.scrollHeight - its.clientHeight - its.scrollTop));
    await expect.poll(() => scroller.evaluate((its) => its.scrollHeight > its.clientHeight + 300)).toBe(true);
    await expect.poll(rest).toBeLessThanOrEqual(1);
    await scroller.hover();
    await page.mouse.wheel(0, -200);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const top = await scroller.evaluate((its) => its.scrollTop);
    const length = () => page.getByRole('log').evaluate((its) => its.textContent?.length ?? 0);
    const before = await length();
    await expect.poll(length).toBeGreaterThan(before + 200);
    expect(await scroller.evaluate((its) => its.scrollTop)).toBe(top);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(rest).toBeLessThanOrEqual(1);
    await field(page).press('Escape');
    await isIdle(page);
  });
});
