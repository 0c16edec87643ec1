import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { serveStudio } from '../../scripts/serve-studio.mjs';
import { startBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during } from './support/stage.ts';

const browser = during(startBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
const textOf = async (page: Page): Promise<string> => (await conversation(page).textContent()) ?? '';

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Waits until everything that the page needs offline is on the disk. */
const isReady = (page: Page) => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);

/** One build for all tests, which a copy of it is served to. */
const built = during(serveStudio, ({ stop }) => stop());

describe('Studio, when its server is gone', () => {
  const studio = during(
    () => serveStudio([], built().folder),
    ({ stop }) => stop(),
  );

  it('has stored every file of the build', async () => {
    const { folder } = studio();
    const worker = await readFile(join(folder, 'sw.js'), 'utf8');
    const stored = new Set(Array.from(worker.matchAll(/"?url"?:\s*"([^"]+)"/gu), ([, url]) => url));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && entry.name !== 'sw.js')
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
    // The renderer of Markdown, the highlighter, the settings and the review are among them.
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(10);
    // Mermaid is 3.6 MB, and comes with the first diagram: without the network its source is shown.
    expect(files.filter((file) => !stored.has(file) && !/\/mermaid\.min-/u.test(file))).toEqual([]);
  });

  it('reloads, answers, and opens every room', async () => {
    const tab = await browser().open(studio().url);
    const { page } = tab;
    await ask(page, 'What is 6 * 7?');
    await eventually(() => textOf(page)).toMatch(/is 42\./);
    await eventually(() => isReady(page)).toBe('activated');

    await studio().leave();
    await page.reload();
    await eventually(() => textOf(page)).toMatch(/is 42\./);
    await ask(page, 'Thanks!');
    await eventually(() => textOf(page)).toContain('You are welcome');
    // Neither the renderer of Markdown nor the highlighter was used before.
    await page.evaluate(() => (location.hash = '#/'));
    await ask(page, 'Show me some Markdown');
    await conversation(page).locator('pre .hljs-keyword').first().waitFor();
    await page.reload();
    await conversation(page).locator('pre .hljs-keyword').first().waitFor();

    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByRole('radio', { name: '简体中文' }).check();
    await page.getByRole('dialog', { name: '设置' }).waitFor();
    await page.getByRole('button', { name: '关闭设置' }).click();
    await page.goto(`${studio().url}#/review/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});

describe('Studio, when the network goes', () => {
  const studio = during(
    () => serveStudio([], built().folder),
    ({ stop }) => stop(),
  );

  it('states what still works, until the network is back', async () => {
    const { page } = await browser().open(studio().url);
    await eventually(() => isReady(page)).toBe('activated');
    await page.reload();
    const notice = page.getByText('You are offline.');
    await browser().context.setOffline(true);
    await notice.waitFor();
    await browser().context.setOffline(false);
    await notice.waitFor({ state: 'detached' });
  });

  it('offers a new version, and starts it when the user says so', async () => {
    const { page } = await browser().open(studio().url);
    await eventually(() => isReady(page)).toBe('activated');
    await page.reload();
    await appendFile(join(studio().folder, 'sw.js'), '\n// The next version.\n');
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
    });
    await page.getByText('A new version is ready.').waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isOld: true }));
    // Nothing is forced: the user goes on.
    await ask(page, 'Thanks!');
    await eventually(() => textOf(page)).toContain('You are welcome');
    await page.getByRole('button', { name: 'Update now' }).click();
    await eventually(() => page.evaluate(() => 'isOld' in globalThis)).toBe(false);
    await eventually(() => textOf(page)).toContain('You are welcome');
    expect(await page.getByText('A new version is ready.').count()).toBe(0);
  });

  it('can be installed', async () => {
    const { page } = await browser().open(studio().url);
    const manifest = await page.evaluate(async (): Promise<unknown> => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      return (await fetch(link?.href ?? '')).json();
    });
    expect(manifest).toMatchObject({ name: 'Brooklet Studio', display: 'standalone', start_url: '/' });
    const { icons } = manifest as { readonly icons: readonly { readonly src: string; readonly sizes: string }[] };
    expect(icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512', '512x512']);
    for (const { src } of icons)
      expect(await page.evaluate(async (src) => (await fetch(src)).headers.get('content-type'), src)).toMatch(/^image/);
  });
});
