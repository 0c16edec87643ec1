import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Browser } from './browser.ts';
import { canary } from './canary.ts';

/** Ends a test: there was no unexpected error, and the key appears nowhere. Closes the tabs. */
export async function closeCleanly(browser: Browser): Promise<void> {
  const tabs = browser.tabs();
  const open = tabs.filter(({ page }) => !page.isClosed());
  const everything = await Promise.all(open.map(({ page }) => readEverything(page)));
  await browser.closeTabs();
  expect(tabs.flatMap((tab) => tab.problems())).toEqual([]);
  for (const text of [...everything, ...tabs.flatMap((tab) => tab.console)]) expect(text).not.toContain(canary);
}

/** Everything that a page stores or shows, as one text, without the contents of password fields. */
async function readEverything(page: Page): Promise<string> {
  const shown = await page.evaluate(() => {
    const selector = 'input:not([type=password]), textarea';
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector)];
    return [document.documentElement.outerHTML, location.href, ...fields.map(({ value }) => value)].join('\n');
  });
  return `${shown}\n${await readStored(page)}`;
}

/** Everything that a page stores, as one text: its databases and its storages. */
export function readStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const settled = <T>(asked: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked.result));
        asked.addEventListener('error', () => reject(asked.error ?? new Error('The database failed.')));
      });
    const texts = [localStorage, sessionStorage].map((storage) => JSON.stringify({ ...storage }));
    // A test may have removed it.
    for (const { name = '' } of 'indexedDB' in globalThis && indexedDB ? await indexedDB.databases() : []) {
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const records = database.transaction(store).objectStore(store);
        texts.push(JSON.stringify([name, store, await settled(records.getAllKeys()), await settled(records.getAll())]));
      }
      database.close();
    }
    return texts.join('\n');
  });
}
