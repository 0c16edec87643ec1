import type { HostStatus } from 'brooklet/worker';
import type { Page } from 'playwright';
import { type BrowserOnDisk, startBrowser } from '../browser.ts';
import { eventually } from '../eventually.ts';
import { during, setSite } from '../stage.ts';
import type { Seen } from './main.ts';
import { type Heard, startWords } from './words.ts';

// Not the canary: the browser notes the addresses of pages.
const addressKey = 'sk-of-the-address';

/** One origin, and what its service hears. */
interface OutlivingStage {
  readonly heard: Heard;
  /** @param more of the query of this page */
  visit(more?: string): Promise<Page>;
  /** Sends a message in a new session. Resolves with the id of the session. */
  begin(page: Page, text: string): Promise<string>;
  open(page: Page, id: string): Promise<Seen>;
}

export interface Outliving {
  browser(): BrowserOnDisk;
  /** @param query of all pages */
  stage(query?: Readonly<Record<string, string>>): OutlivingStage;
  /** Resolves with whether workers outlive the last page in this browser: in Chromium from 148 on. */
  outlivesPages(): Promise<boolean>;
}

/** Serves the page whose runs a worker drives, with a browser and a service of words, for the tests of a file. */
export function setOutliving(): Outliving {
  const words = during(startWords, (its) => its.stop());
  const site = setSite(new URL('../outliving', import.meta.url));
  const browser = during<BrowserOnDisk>(startBrowser, (its) => its.close());

  function stage(query: Readonly<Record<string, string>> = {}): OutlivingStage {
    const { baseURL, heard } = words().converse();
    const url = `${site().freshURL()}?${new URLSearchParams({ baseURL, key: addressKey, ...query })}`;
    return {
      heard,
      visit: async (more = '') => (await browser().open(`${url}${more}`)).page,
      begin: (page, text) => page.evaluate((its) => globalThis.outliving.begin(its), text),
      open: (page, id) => page.evaluate((its) => globalThis.outliving.open(its), id),
    };
  }

  return {
    browser,
    stage,
    async outlivesPages() {
      const page = await stage().visit();
      await eventually(async () => (await hostOf(page)).state).toBe('worker');
      const isSo = await isExtended(page);
      await page.close();
      return isSo;
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const see = (page: Page): Promise<Seen> => page.evaluate(() => globalThis.outliving.see());
export const hostOf = (page: Page): Promise<HostStatus> => page.evaluate(() => globalThis.outliving.host());

/** Whether the run of the worker of a page outlives the last page. */
export async function isExtended(page: Page): Promise<boolean> {
  const host = await hostOf(page);
  return host.state === 'worker' && host.outlives === 'pages';
}

/** Resolves when the first answer has a whole word. */
export async function shows(page: Page, word: string): Promise<void> {
  await eventually(async () => (await see(page)).texts[1]?.includes(`${word} `)).toBe(true);
}
