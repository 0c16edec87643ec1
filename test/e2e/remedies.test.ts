import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { serveStudio } from '../../scripts/serve-studio.mjs';
import { startFrugalBrowser } from './support/browser.ts';
import { buildPage } from './support/build-page.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during } from './support/stage.ts';
import { ask, composer, connectTo, openSettings, sections, textOf } from './support/studio.ts';

/** Whether a request is the test of a key, which this service answers. */
const isTest = (body: string | null): boolean => body?.includes('"Hi"') ?? false;
const hi = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

const demo = fileURLToPath(new URL('../../demo', import.meta.url));
const studio = during(
  async () => serveStudio([], await buildPage(demo, 'production', [])),
  ({ stop }) => stop(),
);
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

/** The address of the page with storages of its own. */
const freshURL = () => studio().url.replace('localhost', `${crypto.randomUUID()}.localhost`);

const alert = (page: Page) => page.getByRole('alert');
/** What the person can do, the action that helps first. */
const verbs = (page: Page) => alert(page).locator('.bk-buttons > *').allTextContents();

describe('an error of a service', () => {
  it.each([
    [
      'no credit',
      402,
      { error: { message: 'Insufficient credits.', code: 402 } },
      'The account has no credit',
      ['Top up', 'Open settings', 'Try again'],
    ],
    [
      'a refused key',
      401,
      { error: { message: 'No auth credentials found.', code: 401 } },
      'The key was refused',
      ['Open settings', 'Try again'],
    ],
    [
      'an unknown model',
      404,
      { error: { message: 'The model does not exist.', code: 'model_not_found' } },
      'The model does not exist',
      ['Open settings', 'Try again'],
    ],
  ] as const)('is headed by its cause, with what helps first: %s', async (_what, status, answer, cause, actions) => {
    const tab = await browser().open('about:blank');
    const { page } = tab;
    tab.expectProblem(/Failed to load resource/u);
    // The service is on the network; here the request ends in the browser.
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('https://openrouter.ai/**', (route) =>
      isTest(route.request().postData())
        ? route.fulfill({ body: hi, headers: { ...headers, 'content-type': 'text/event-stream' } })
        : route.fulfill({ status, json: answer, headers }),
    );
    await page.goto(freshURL());
    await composer(page).waitFor();
    await openSettings(page, sections.model);
    await page.getByLabel('Provider').selectOption('openrouter');
    await connectTo(page, { model: 'some/model', key: 'sk-or-a' });
    await ask(page, 'Hello?');
    await eventually(() => verbs(page)).toEqual(actions);
    expect(await alert(page).locator('strong').first().textContent()).toBe(cause);
    // The code is for developers only.
    expect(await alert(page).locator('details.bk-details').getAttribute('open')).toBeNull();
    if (actions[0] === 'Top up') {
      const link = alert(page).getByRole('link', { name: 'Top up' });
      expect(await link.getAttribute('href')).toBe('https://openrouter.ai/settings/credits');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      return;
    }
    await alert(page).getByRole('button', { name: 'Open settings' }).click();
    await page.getByRole('dialog').locator('.bk-key-field').waitFor();
  });
});

describe('a page that is older than the last deployment', () => {
  /** Removes the file into which a source was built, as a deployment does. Returns what brings it back, as the deployment of the current page. */
  async function remove(source: string): Promise<() => Promise<void>> {
    const { folder } = studio();
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Readonly<
      Record<string, { readonly file: string }>
    >;
    const file = join(folder, manifest[source]?.file ?? expect.unreachable(`the file of ${source}`));
    await rename(file, `${file}.gone`);
    return () => rename(`${file}.gone`, file);
  }

  const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isOld: true }));
  const isOld = (page: Page) => page.evaluate(() => 'isOld' in globalThis);

  it('offers to reload first where the code that answers is gone, and the message is there afterwards', async () => {
    const restore = await remove('src/offline/client.ts');
    const tab = await browser().open(freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load (?:resource|module script)/u);
    await mark(page);
    await ask(page, 'What is 6 * 7?');
    await eventually(() => verbs(page)).toEqual(['Reload', 'Try again']);
    expect(await alert(page).locator('strong').first().textContent()).toBe('A part of this page could not be loaded');
    await restore();
    await alert(page).getByRole('button', { name: 'Reload' }).click();
    await eventually(() => isOld(page)).toBe(false);
    await eventually(() => textOf(page)).toContain('What is 6 * 7?');
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await eventually(() => textOf(page)).toMatch(/is 42/u);
  });

  it('offers to reload where a dialog is gone, and keeps the draft', async () => {
    const restore = await remove('src/settings/SettingsDialog.tsx');
    const tab = await browser().open(freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load (?:resource|module script)|dynamically imported module/u);
    await mark(page);
    await composer(page).fill('Not sent yet');
    await page.keyboard.press('Control+,');
    const dialog = page.getByRole('alertdialog', { name: 'This part could not be loaded' });
    await dialog.waitFor();
    await restore();
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => isOld(page)).toBe(false);
    expect(await composer(page).inputValue()).toBe('Not sent yet');
    await openSettings(page, sections.model);
    await page.getByLabel('Provider').waitFor();
  });
});
