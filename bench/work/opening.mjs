import { median } from '../results.mjs';

/** @import { Page } from 'playwright' */

/** Reloads; filling the database takes longer than all of them. */
const rounds = 9;

/** Another page of the same kind, in which the browser has no idle time: nothing is packed after an open. @param {Page} page */
const neverIdle = (page) => page.addInitScript(() => Reflect.deleteProperty(globalThis, 'requestIdleCallback'));

/** Opens a session, and waits until the page has packed its rows in idle time. @param {Page} page @param {string} id */
async function pack(page, id) {
  const countRows = () => page.evaluate((session) => globalThis.bench?.rowsOf?.(session) ?? 0, id);
  const before = await countRows();
  await page.evaluate((session) => globalThis.bench?.ask(`open: ${session}`, 0), id);
  for (let last = before, rows = 0; rows !== last || rows === before; rows = await countRows()) {
    last = rows;
    await page.waitForTimeout(1_000);
  }
}

/**
 * Returns the median ms of a question, each time after a reload.
 *
 * @param {Page} page
 * @param {string} question
 * @param {boolean} isFirstUntimed
 */
async function time(page, question, isFirstUntimed) {
  /** @type {number[]} */
  const walls = [];
  for (let round = 0; round < rounds; round++) {
    await page.reload();
    await page.waitForFunction(() => globalThis.bench !== undefined);
    walls.push(
      await page.evaluate(
        async ([word, first]) => {
          await globalThis.bench?.ask('start', 0);
          if (first) await globalThis.bench?.ask(word, 0);
          const begin = performance.now();
          await globalThis.bench?.ask(word, 0);
          return performance.now() - begin;
        },
        /** @type {const} */ ([question, isFirstUntimed]),
      ),
    );
  }
  return median(walls);
}

/**
 * A case of one page.
 *
 * @param {Pick<import('../work.mjs').Case, 'id' | 'label'>} name
 * @param {(side: string) => string} pageOf
 * @param {(page: Page, side: string) => Promise<number>} measure returns ms
 * @returns {import('../work.mjs').Case}
 */
const caseOf = (name, pageOf, measure) => ({
  ...name,
  // The other sides store no session in a browser, or one.
  sides: ['floor', 'brooklet'],
  runs: 1,
  measure: async ({ browser }, side) => {
    const { page, close } = await browser.open(pageOf(side));
    try {
      return { wall: await measure(page, side) };
    } finally {
      await close();
    }
  },
});

/**
 * The opening of a session. The floor reads the same rows of the same database with one `getAll`.
 *
 * @param {string} session in the page's `sessions`
 * @param {string} label
 * @param {boolean} [isPacked] whether the page was idle once while the session was open
 */
const openingOf = (session, label, isPacked = false) =>
  caseOf(
    { id: `I open ${session}${isPacked ? ' packed' : ''}`, label },
    () => 'stores/brooklet',
    async (page, side) => {
      await page.evaluate((id) => globalThis.bench?.ask(`fill: ${id}`, 0), session);
      if (isPacked) await pack(page, session);
      else await neverIdle(page);
      return time(page, `${side === 'floor' ? 'rows' : 'open'}: ${session}`, false);
    },
  );

/** The messages that a chat shows first. The floor reads all rows. @param {string} session @param {string} label */
const latestOf = (session, label) =>
  caseOf(
    { id: `I latest ${session}`, label },
    () => 'stores/brooklet',
    async (page, side) => {
      await page.evaluate((id) => globalThis.bench?.ask(`fill: ${id}`, 0), session);
      await neverIdle(page);
      return time(page, `${side === 'floor' ? 'rows' : 'latest'}: ${session}`, false);
    },
  );

/** @param {'list' | 'waiting' | 'search'} word @param {string} label */
const listingOf = (word, label) =>
  caseOf(
    { id: `I ${word}`, label },
    (side) => `stores/${side}`,
    async (page) => {
      await page.evaluate(() => globalThis.bench?.ask('fill: had', 0));
      // The first search writes the rows that later ones read.
      return time(page, word, word === 'search');
    },
  );

/** @type {import('../work.mjs').Work} */
export const opening = {
  id: 'I',
  title: 'Reading from a database of 10,000 sessions after a reload, once it is open',
  metrics: [{ id: 'wall', unit: 'ms', absolute: true, slack: 3 }],
  cases: [
    openingOf('had', 'a session of 500 turns, 1,000 messages, as they were had'),
    openingOf('had', 'the same, after the page that had it was idle', true),
    latestOf('had', 'its last messages, which a chat shows until then, as they were had'),
    openingOf('had long', 'a session of 5,000 turns, 10,000 messages, as they were had'),
    openingOf('had long', 'the same, after the page that had it was idle', true),
    latestOf('had long', 'its last messages, which a chat shows until then, as they were had'),
    openingOf('imported', 'a session of 1,000 messages that was imported'),
    listingOf('list', 'the 50 sessions that changed last'),
    listingOf('waiting', 'the 20 of them that wait for a person'),
    listingOf('search', 'the 50 of them with a word in their text, searched for a second time'),
  ],
};
