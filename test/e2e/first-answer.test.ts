import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const folder = new URL('support/first-answer', import.meta.url);
const stage = setStage(folder);

/** The scripts that the page has requested so far. */
const scripts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js'))
      .map(({ name }) => name),
  );

it('has all of its code when it is shown: no script is requested until its first answer is stored', async () => {
  stage.wire.mock.onMessage('Hello', { content: 'Hello to you.' });
  const { page } = await stage.browser.open(stage.freshURL());
  const button = page.getByRole('button', { name: 'Send' });
  await button.waitFor();
  const shown = await scripts(page);
  // The page itself, and what it has in common with no other page: one round trip after that of the document.
  expect(shown.length).toBeGreaterThan(0);
  const named = await page.evaluate(() =>
    Array.from(document.querySelectorAll('script[src], link[rel=modulepreload]'), (element) =>
      element instanceof HTMLScriptElement ? element.src : element instanceof HTMLLinkElement ? element.href : '',
    ),
  );
  expect(shown.filter((url) => !named.includes(url))).toEqual([]);

  await button.click();
  await eventually(() => page.getByRole('status').textContent()).toBe('answered and stored');
  expect(await page.getByText('Hello to you.').count()).toBe(1);
  expect(await scripts(page)).toEqual(shown);
});
