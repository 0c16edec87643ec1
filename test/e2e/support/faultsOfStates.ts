import type { Page } from 'playwright';
import { violationsOf } from './axe.ts';
import { inEachTheme, setWidth, viewsOf } from './views.ts';

/** What a person does to reach each state, one after the other, on one page. */
export type Walk = readonly (readonly [state: string, reach: (page: Page) => Promise<unknown>])[];

/**
 * Walks through the states of a page in each width, and returns what is wrong: what axe finds in each theme, what is wider than the page, and
 * what the policy of the page has refused.
 */
export async function faultsOfStates(
  walk: Walk,
  open: () => Promise<Page>,
  closeTabs: () => Promise<void>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [width, themes] of viewsOf(4)) {
    const page = await open();
    await setWidth(page, width);
    for (const [state, reach] of walk) {
      await reach(page);
      const violations = await inEachTheme(page, themes, violationsOf);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      found.push(...violations.map((line) => `${state}, ${width}, ${line}`));
      if (overflow > 0) found.push(`${state}, ${width}: ${overflow} px wider than the page`);
    }
    found.push(...(await page.evaluate(() => globalThis.refused)));
    await closeTabs();
  }
  return found;
}
