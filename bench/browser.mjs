import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { ensureBrowser, launchArgs, thisMachine } from '../scripts/find-browser.mjs';

/** @import { Bench } from './page/bench.ts' declares `globalThis.bench` */

/**
 * A page of one side, ready.
 *
 * @typedef {object} Tab
 * @property {import('playwright').Page} page
 * @property {import('playwright').CDPSession} devtools
 * @property {() => Promise<number>} busy ms of processor time that its main thread has used since it was loaded
 * @property {() => Promise<number>} heap bytes of its JavaScript heap after a collection
 * @property {() => Promise<number>} weight bytes (gzip) of the scripts it has loaded, without what all sides share
 * @property {() => Promise<void>} close
 */

/**
 * The initial content of a page.
 *
 * @typedef {object} Start
 * @property {number} [history] messages
 * @property {number} [chars] of each answer in the history
 * @property {number} [chats] side by side
 * @property {number} [window] tokens of the model's window, if the page has to stay within one
 * @property {1} [stored] whether messages are stored in IndexedDB
 */

/**
 * @typedef {object} Browser
 * @property {string} version
 * @property {(path: string, start?: Start) => Promise<Tab>} open `path` as in `sides/floor`
 * @property {() => Promise<number>} busy that of the tab opened last; 0 where it has just been closed
 * @property {() => Promise<void>} restart after a task that does not end
 * @property {() => Promise<void>} close
 */

/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {import('./server.mjs').Served} served @returns {Promise<Browser>} */
export async function startBrowser({ pages, apis }) {
  const found = await ensureBrowser(thisMachine());
  if (!found) throw new Error('There is no browser.');
  const launch = () => chromium.launch({ executablePath: found.path, args: launchArgs });
  let browser = await launch();
  /** @type {Tab | undefined} */
  let latest;

  return {
    version: browser.version(),
    async open(path, start = {}) {
      // A context of its own: no cache and no database of another side.
      const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
      const page = await context.newPage();
      /** @type {Promise<{ url: string, body: Buffer }>[]} */
      const scripts = [];
      /** @type {string[]} */
      const problems = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('response', (response) => {
        if (!response.url().endsWith('.js')) return;
        const loaded = response.body().then((body) => ({ url: response.url(), body }));
        loaded.catch(() => {});
        scripts.push(loaded);
      });
      const devtools = await context.newCDPSession(page);
      // Processor time: other work of the machine is not counted.
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
      await devtools.send('HeapProfiler.enable');
      const query = Object.entries(start).map(([key, value]) => `&${key}=${value}`);
      await page.goto(`${pages}/${path}?apis=${apis.join(',')}${query.join('')}`);
      try {
        await page.waitForFunction(() => globalThis.bench !== undefined, undefined, { timeout: 20_000 });
      } catch (error) {
        await context.close();
        throw new Error(`${path} did not start. ${problems.join(' ')}`, { cause: error });
      }
      latest = {
        page,
        devtools,
        async busy() {
          const { metrics } = await devtools.send('Performance.getMetrics');
          return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
        },
        async heap() {
          await devtools.send('HeapProfiler.collectGarbage');
          await devtools.send('HeapProfiler.collectGarbage');
          return (await devtools.send('Runtime.getHeapUsage')).usedSize;
        },
        async weight() {
          const own = (await Promise.all(scripts)).filter(({ url }) => !/\/chunks\/(react|page)-/.test(url));
          return own.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0);
        },
        close: () => context.close(),
      };
      return latest;
    },
    // A page that is stuck in one task does not respond: the wall clock limits it.
    busy: async () => (await Promise.race([latest?.busy().catch(() => 0), sleep(10_000)])) ?? 0,
    async restart() {
      await browser.close();
      browser = await launch();
    },
    close: () => browser.close(),
  };
}
