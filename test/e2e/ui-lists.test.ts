import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { faultsOfStates, type Walk } from './support/faultsOfStates.ts';
import { tabTo } from './support/keyboard.ts';
import { during, setSite } from './support/stage.ts';
import { startService } from './support/ui-lists/service.ts';

const site = setSite(new URL('./support/ui-lists', import.meta.url));
const service = during(startService, (its) => its.stop());
const closedService = during(
  () => startService({ allowsPages: false }),
  (its) => its.stop(),
);
const browser = during(startFrugalBrowser, (its) => its.close());

const good = 'sk-good-0123456789abcdefghij-WXYZ';
const passphrase = 'correct horse battery';

const part = (page: Page, name: string) => page.locator(`[data-part=${name}]`);
const rows = (page: Page) => page.locator('.bk-session');
const keyField = (page: Page) => page.locator('[data-part=key-field] input[type=password]');
const options = (page: Page) => part(page, 'model-picker').getByRole('option');

async function open(query: Readonly<Record<string, string>> = {}): Promise<Page> {
  const all = new URLSearchParams({ service: service().baseURL, vault: crypto.randomUUID(), ...query });
  const { page } = await browser().open(`${site().freshURL()}?${all}`);
  await rows(page).first().waitFor();
  await part(page, 'key-field').locator('form, button').first().waitFor();
  return page;
}

const submitKey = (page: Page) => part(page, 'key-field').locator('button[type=submit]').click();

async function takeFirst(page: Page, line: number): Promise<void> {
  await rows(page).first().hover();
  await rows(page).first().locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem').nth(line).click();
}

const walk: Walk = [
  ['the list', (page) => part(page, 'context-meter').waitFor()],
  [
    'a menu',
    async (page) => {
      await rows(page).first().hover();
      await rows(page).first().locator('[aria-haspopup=menu]').click();
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'a title',
    async (page) => {
      await page.keyboard.press('Escape');
      await takeFirst(page, 1);
      await page.locator('.bk-title-field').waitFor();
    },
  ],
  [
    'a selection',
    async (page) => {
      await page.keyboard.press('Escape');
      await rows(page).nth(2).locator('.bk-session-link').focus();
      await page.keyboard.press(' ');
      await page.keyboard.press('Shift+ArrowDown');
      await page.locator('.bk-session-bar').waitFor();
    },
  ],
  [
    'removed sessions',
    async (page) => {
      await page.keyboard.press('Delete');
      await page.locator('[data-part=session-list][data-state=ready]').waitFor();
    },
  ],
  [
    'a search without a result',
    async (page) => {
      await page.locator('[data-part=session-list] input[type=search]').fill('nowhere');
      await page.locator('[data-part=session-list][data-state=empty]').waitFor();
    },
  ],
  [
    'a list of models that cannot be read',
    async (page) => {
      await page.locator('[data-part=session-list] input[type=search]').fill('');
      await rows(page).first().waitFor();
      await part(page, 'model-picker').locator('> button').click();
      await part(page, 'model-picker').getByRole('alert').waitFor();
    },
  ],
  ['a model that is not listed', (page) => page.getByRole('combobox', { expanded: true }).fill('my-model')],
  [
    'a refused key',
    async (page) => {
      await page.keyboard.press('Escape');
      await keyField(page).fill('sk-wrong');
      await submitKey(page);
      await part(page, 'key-field').getByRole('alert').waitFor();
    },
  ],
  [
    'a key for this device',
    async (page) => {
      await keyField(page).fill(good);
      await part(page, 'key-field').getByRole('radio').nth(1).check();
      await keyField(page).nth(2).waitFor();
    },
  ],
  [
    'a key that is kept',
    async (page) => {
      await keyField(page).nth(1).fill(passphrase);
      await keyField(page).nth(2).fill(passphrase);
      await submitKey(page);
      await page.locator('.bk-key-masked').waitFor();
    },
  ],
  [
    'a list of models',
    async (page) => {
      await part(page, 'model-picker').locator('> button').click();
      await expect.poll(() => options(page).count()).toBeGreaterThan(100);
    },
  ],
  [
    'what the context is made of',
    async (page) => {
      await page.keyboard.press('Escape');
      await part(page, 'context-meter').locator('> button').click();
      await page.getByRole('dialog').waitFor();
    },
  ],
];

describe('the parts beside a chat', () => {
  it.each([{ lang: 'en' }, { lang: 'zh' }, { lang: 'en', dir: 'rtl' }])(
    'have no fault that axe finds, in each state, width and theme: %o',
    async (query) => {
      const found = await faultsOfStates(
        walk,
        () => open(query),
        () => browser().closeTabs(),
      );
      expect(found).toEqual([]);
    },
  );

  it('are used with the keyboard alone', async () => {
    const page = await open();
    const before = await rows(page).count();
    await tabTo(page, page.locator('.bk-session-link[tabindex="0"]'));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('Renamed');
    await page.keyboard.press('Enter');
    const renamed = page.getByRole('link', { name: 'Renamed' });
    await renamed.waitFor();
    expect(await renamed.evaluate((its) => its === document.activeElement)).toBe(true);
    await page.keyboard.press('Delete');
    await renamed.waitFor({ state: 'detached' });
    expect(await page.locator('.bk-session-link:focus').count()).toBe(1);
    await page.keyboard.press('Control+z');
    await renamed.waitFor();
    await expect.poll(() => rows(page).count()).toBe(before);
    await page.keyboard.press('Shift+F10');
    await page.keyboard.press('p');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Pinned' }).getByRole('link', { name: 'Renamed' }).waitFor();

    await tabTo(page, part(page, 'model-picker').locator('> button'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('my-model');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: my-model' }).waitFor();

    await tabTo(page, keyField(page));
    await page.keyboard.type(good);
    await page.keyboard.press('Enter');
    await page.getByText('In the memory of this tab, ends in WXYZ').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Change' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await keyField(page).waitFor();
  });

  it('show the list of the service, and choose from it, with a key of the vault', async () => {
    const page = await open();
    await keyField(page).fill(good);
    await submitKey(page);
    await page.locator('.bk-key-masked').waitFor();
    await part(page, 'model-picker').locator('> button').click();
    await expect.poll(() => options(page).count()).toBe(201);
    await page.getByRole('combobox', { expanded: true }).fill('pond-299');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: pond-299' }).click();
    expect(await page.getByRole('group', { name: 'Recent' }).getByRole('option').allTextContents()).toEqual([
      'pond-29932K tokens',
      'brook-small128K tokens$0.25 / $2',
    ]);
  });

  it('say precisely what is wrong with a key', async () => {
    const page = await open();
    const problem = part(page, 'key-field').getByRole('alert');
    await keyField(page).fill('sk-wrong');
    await submitKey(page);
    await problem.getByText('The key was refused').waitFor();
    await keyField(page).fill('sk-poor');
    await submitKey(page);
    await problem.getByText('The account has no credit').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Test and use' }).click();
    await problem.getByText('No network').waitFor();
    await page.context().setOffline(false);
    const other = await open({ service: closedService().baseURL });
    await keyField(other).fill(good);
    await submitKey(other);
    await part(other, 'key-field').getByRole('alert').getByText('Blocked by CORS').waitFor();
    const dead = await open({ service: 'http://127.0.0.1:9/v1' });
    await keyField(dead).fill(good);
    await submitKey(dead);
    await part(dead, 'key-field').getByRole('alert').getByText('Nothing answered').waitFor();
  });

  it('keep a key for the next visit, which opens it with the passphrase; it is nowhere in clear text', async () => {
    const page = await open();
    await keyField(page).fill(good);
    await part(page, 'key-field').getByRole('radio').nth(1).check();
    await keyField(page).nth(1).fill(passphrase);
    await keyField(page).nth(2).fill(passphrase);
    await submitKey(page);
    await page.getByText('Stored encrypted on this device, ends in WXYZ').waitFor();
    const state = await page.context().storageState({ indexedDB: true });
    expect(JSON.stringify(state)).not.toContain('sk-good');
    expect(JSON.stringify(state)).toContain('vault');
    expect(await page.content()).not.toContain('sk-good');
    await page.reload();
    await page.getByText('Your keys are locked.').waitFor();
    await keyField(page).fill(passphrase);
    await submitKey(page);
    await page.getByText('Stored encrypted on this device, ends in WXYZ').waitFor();
    expect(await page.evaluate(() => globalThis.readyKeys.map(({ keep }) => keep))).toEqual(['device']);
  });

  it('show 10,000 sessions with few rows in the page, wherever it is scrolled to', async () => {
    const page = await open({ many: '10000' });
    const scroller = page.locator('.bk-session-scroller');
    for (const share of [0, 0.25, 0.5, 0.999]) {
      await scroller.evaluate((its, part) => (its.scrollTop = part * its.scrollHeight), share);
      const seen = await scroller.evaluate((its) => {
        const { left, top, width, height } = its.getBoundingClientRect();
        return new Promise<string | undefined>((resolve) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              const at = document.elementFromPoint(left + width / 2, top + height / 2 + 4);
              resolve(at?.closest('[data-session], h2')?.textContent ?? undefined);
            }),
          ),
        );
      });
      expect([share, seen]).toEqual([share, expect.stringMatching(/\S/)]);
      expect(await rows(page).count()).toBeLessThan(300);
    }
    const height = await scroller.evaluate((its) => its.scrollHeight);
    const [row, headings] = await page.evaluate(() => [
      document.querySelector('.bk-session')?.getBoundingClientRect().height ?? 0,
      document.querySelectorAll('.bk-session-heading').length,
    ]);
    expect(height).toBeGreaterThan(10_000 * row);
    expect(headings).toBeLessThan(5);
    await page.locator('.bk-session-link[tabindex="0"]').focus();
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('.bk-session-link:focus').textContent()).toBe('Conversation 10000');
    await page.keyboard.press('Delete');
    await expect.poll(() => page.locator('.bk-session-link:focus').textContent()).toBe('Conversation 9999');
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.bk-session-link:focus').textContent()).toBe('Conversation 1');
    expect(await scroller.evaluate((its) => its.scrollTop)).toBeLessThan(100);
    await page.keyboard.press('Control+a');
    await page.getByText('9,999 selected').waitFor();
  });
});
