import { ask, lengthOf } from '../wires.mjs';

/**
 * Sends a prompt from a page, and waits for the whole answer.
 *
 * @param {import('../browser.mjs').Tab} tab
 * @param {Partial<import('../wires.mjs').Wish>} wish
 * @param {number} [chat]
 */
export function askPage({ page }, wish, chat = 0) {
  return page.evaluate(
    ([text, length, chat]) => globalThis.bench?.ask(text, length, chat),
    /** @type {const} */ ([ask(wish), lengthOf(wish), chat]),
  );
}

/**
 * Opens a page, requests a short answer of the same kind, so that the code is compiled and the connection open, and closes the page at
 * the end.
 *
 * @template T
 * @param {import('../browser.mjs').Browser} browser
 * @param {string} path
 * @param {import('../browser.mjs').Start} start
 * @param {(tab: import('../browser.mjs').Tab) => Promise<T>} use
 * @param {import('../wires.mjs').Wish['kind']} [kind]
 */
export async function withTab(browser, path, start, use, kind = 'text') {
  const tab = await browser.open(path, start);
  try {
    await askPage(tab, { chunks: 300, kind });
    await tab.devtools.send('HeapProfiler.collectGarbage');
    return await use(tab);
  } finally {
    await tab.close();
  }
}

/**
 * Returns how far the server's clock is ahead of the page's, in ms: both run on one machine and begin at different times.
 *
 * @param {import('../browser.mjs').Tab} tab
 * @param {import('../server.mjs').Served} served
 */
export function clockOffset({ page }, { apis }) {
  return page.evaluate(async (api) => {
    const now = () => performance.timeOrigin + performance.now();
    let best = { trip: Infinity, offset: 0 };
    for (let round = 0; round < 8; round++) {
      const begin = now();
      const there = Number(await (await fetch(api)).text());
      const trip = now() - begin;
      if (trip < best.trip) best = { trip, offset: there - begin - trip / 2 };
    }
    return best.offset;
  }, apis[0] ?? '');
}

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
