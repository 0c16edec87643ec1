import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { exportSession } from 'brooklet/storage';
import { record } from '../review/recorded.ts';
import { violationsOf } from './support/axe.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { settled } from './support/settled.ts';
import { setStage } from './support/stage.ts';
import { inEachTheme, setWidth, viewsOf } from './support/views.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });

const nameOf = async (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: focused } = document;
    if (focused === null || focused === document.body) return '';
    return focused.getAttribute('aria-label') ?? focused.textContent;
  });

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    const focused = (await nameOf(page)).trim();
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    await page.keyboard.press('Tab');
  }
  expect.unreachable(`Tab never reaches ${String(name)}.`);
}

async function openFile(page: Page, text: string): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 's.jsonl', mimeType: 'text/plain', buffer: Buffer.from(text) });
}

async function downloadOf(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

const main = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const text = async (page: Page, name: string): Promise<string> => (await main(page, name).textContent()) ?? '';

let shown: Page | undefined;
afterEach(async () => {
  await shown?.context().setOffline(false);
  await shown?.emulateMedia({ colorScheme: null });
  shown = undefined;
});

/** Opens the review of a recorded session, and cuts the network. */
async function openRecorded(): Promise<Page> {
  const { page } = await stage.browser.open(`${stage.site.freshURL()}#/review`, { loadsAhead: true });
  shown = page;
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await settled(page);
  await page.context().setOffline(true);
  await openFile(page, exportSession((await record()).stored));
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  return page;
}

describe('the views of a review', () => {
  it('are walked through with the keyboard alone, without the network', async () => {
    const page = await openRecorded();
    const { keyboard } = page;
    await keyboard.press('2');
    await eventually(() => text(page, 'Steps')).toContain('INSUFFICIENT_QUOTA');
    await keyboard.press('3');
    await eventually(() => text(page, 'Tool calls')).toContain('approved by Ada');
    await tabTo(page, /Ada edited and approved it/u);
    await keyboard.press('Enter');
    await eventually(() => text(page, 'Tool calls')).toContain('What was shown');
    await keyboard.press('4');
    await eventually(() => text(page, 'Tokens')).toContain('560 tokens');
    await keyboard.press('5');
    await eventually(() => text(page, 'Compactions')).toContain('the user asked for it');
    await tabTo(page, 'What the model saw before and after');
    await keyboard.press('Enter');
    await eventually(() => text(page, 'Compactions')).toContain('After:');
    await keyboard.press('6');
    await eventually(() => text(page, 'Errors')).toContain('The lever came off.');
    await tabTo(page, 'Tool call Break');
    await keyboard.press('Enter');
    await eventually(() => text(page, 'Moment')).toContain('The lever came off.');

    await keyboard.press('Home');
    await keyboard.press('8');
    await keyboard.press('m');
    await keyboard.press('End');
    await eventually(() => text(page, 'Compare')).toContain('added');
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await keyboard.press('n');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('new-note');
    await keyboard.type('Here it ends.');
    await keyboard.press('Control+Enter');
    await eventually(() => text(page, 'Notes')).toContain('Here it ends.');
    expect(await page.getByRole('button', { name: /Notes/u }).textContent()).toBe('Notes1');
  });

  it('save the session with its notes, and a bug report that opens again', async () => {
    const page = await openRecorded();
    await page.keyboard.press('n');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('new-note');
    await page.keyboard.type('Here it ends.');
    await page.keyboard.press('Control+Enter');
    await eventually(() => text(page, 'Notes')).toContain('Here it ends.');

    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Session with notes (.jsonl)');
    const saved = await downloadOf(page, () => page.keyboard.press('Enter'));
    expect(saved.name).toBe('Please-pay-the-bill.jsonl');
    expect(saved.text.split('\n', 1)[0]).toContain('Here it ends.');

    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Bug report…');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Bug report' });
    await eventually(() => dialog.textContent()).toContain('INSUFFICIENT_QUOTA No credit is left.');
    expect(await dialog.textContent()).toContain('"browser"');
    await dialog.getByRole('textbox').fill('It did not pay.');
    const report = await downloadOf(page, () => dialog.getByRole('button', { name: 'Save the report' }).click());
    const about: unknown = JSON.parse(report.text.split('\n', 1)[0] ?? '');
    expect(about).toMatchObject({ description: 'It did not pay.', circumstances: { isOnline: false } });

    await page.getByRole('link', { name: 'Open a file' }).click();
    await openFile(page, report.text);
    await page.getByRole('button', { name: /Notes/u }).click();
    await eventually(() => text(page, 'Notes')).toContain('Here it ends.');
  });

  it('keep a note on a stored session, which another tab shows', async () => {
    const url = stage.site.freshURL();
    const { page } = await stage.browser.open(url);
    await page.getByRole('textbox', { name: 'Message' }).fill('What is 2 + 2?');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Conversation' }).getByText('4').first().waitFor();
    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.keyboard.press('n');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('new-note');
    await page.keyboard.type('Correct.');
    await page.keyboard.press('Control+Enter');
    await eventually(() => text(page, 'Notes')).toContain('Correct.');
    const { page: other } = await stage.browser.open(page.url());
    await other.getByRole('button', { name: /Notes/u }).click();
    await eventually(() => text(other, 'Notes')).toContain('Correct.');
  });
});

/** `VIEWS=1` plays the first of four views alone. */
const views = viewsOf(Number(process.env.VIEWS ?? 4));

describe('axe', () => {
  it.each(views)('finds nothing in any view of a review, %s, %j', { timeout: 120_000 }, async (width, themes) => {
    const page = await openRecorded();
    await setWidth(page, width);
    const found: Record<string, readonly string[]> = {};
    for (const key of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      await page.keyboard.press(key);
      found[key] = await inEachTheme(page, themes, violationsOf);
    }
    await page.keyboard.press('m');
    await page.keyboard.press('Home');
    found['compared'] = await inEachTheme(page, themes, violationsOf);
    await page.keyboard.press('/');
    await page.keyboard.type('pay');
    await page.getByRole('status').getByText('found').waitFor();
    found['search'] = await inEachTheme(page, themes, violationsOf);
    await page.keyboard.press('Escape');
    await page.getByText('Save', { exact: true }).click();
    found['menu'] = await inEachTheme(page, themes, violationsOf);
    await page.getByRole('button', { name: 'Bug report…' }).click();
    await page.getByRole('dialog').waitFor();
    found['report'] = await inEachTheme(page, themes, violationsOf);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Open a file' }).click();
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    found['open'] = await inEachTheme(page, themes, violationsOf);
    expect(Object.entries(found).filter(([, lines]) => lines.length > 0)).toEqual([]);
  });
});
