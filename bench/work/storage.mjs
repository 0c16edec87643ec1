import { askPage, withTab } from './ask.mjs';

const chunks = 1_000;
const rate = 250;

/** Counts the bytes that are passed to IndexedDB from now on, as JSON. */
function countBytes() {
  const bench = /** @type {{ bytes: number }} */ (/** @type {unknown} */ (globalThis));
  bench.bytes = 0;
  for (const name of /** @type {const} */ (['put', 'add'])) {
    const original = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (...args) {
      bench.bytes += new TextEncoder().encode(JSON.stringify(args[0])).length;
      return original.apply(this, args);
    };
  }
}

/** @type {import('../work.mjs').Work} */
export const storage = {
  id: 'H',
  title: `A reply of ${chunks.toLocaleString('en')} chunks, ${rate} a second, kept in IndexedDB; without a page`,
  metrics: [
    { id: 'bytes', unit: 'KB handed to IndexedDB', absolute: true },
    { id: 'busy', unit: 'ms of the main thread', absolute: true },
  ],
  cases: /** @type {const} */ ([
    ['nothing', 0, 0],
    ['100 KB', 1_000, 120],
    ['10 MB', 1_000, 20_000],
  ]).map(([label, history, chars]) => ({
    id: `H ${label}`,
    label: `on top of ${label}`,
    // The floor stores nothing: its time is that of the stream.
    sides: ['floor', 'brooklet', 'tanstack'],
    quick: label === '100 KB',
    runs: 1,
    measure: async ({ browser }, side) => {
      /** @type {import('../browser.mjs').Start} */
      const start = { history, chars, stored: 1 };
      const wish = { chunks, rate };
      const busy = await withTab(browser, `cores/${side}`, start, async (tab) => {
        const before = await tab.busy();
        await askPage(tab, wish);
        return (await tab.busy()) - before;
      });
      // Counting takes time, so it has a run of its own.
      const bytes = await withTab(browser, `cores/${side}`, start, async (tab) => {
        await tab.page.evaluate(countBytes);
        await askPage(tab, wish);
        return tab.page.evaluate(() => /** @type {{ bytes: number }} */ (/** @type {unknown} */ (globalThis)).bytes);
      });
      return { busy, bytes: bytes / 1000 };
    },
  })),
};
