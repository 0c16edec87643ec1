import { median } from '../results.mjs';

/** Reloads; filling the database takes longer than all of them. */
const rounds = 9;

/** @type {import('../work.mjs').Work} */
export const opening = {
  id: 'I',
  title: 'Reading from a database of 10,000 sessions after a reload, once it is open',
  metrics: [{ id: 'wall', unit: 'ms', absolute: true, slack: 3 }],
  cases: /** @type {const} */ ([
    ['open', 'a session of 500 turns, 1,000 messages'],
    ['open imported', 'a session of 1,000 messages that was imported'],
    ['list', 'the 50 sessions that changed last'],
    ['search', 'the 50 of them with a word in their text, searched for a second time'],
  ]).map(([word, label]) => ({
    id: `I ${word}`,
    label,
    // The other sides store no session in a browser, or one.
    sides: ['floor', 'brooklet'],
    runs: 1,
    measure: async ({ browser }, side) => {
      const { page, close } = await browser.open(`stores/${side}`);
      try {
        await page.evaluate(() => globalThis.bench?.ask('fill', 0));
        /** @type {number[]} */
        const walls = [];
        for (let round = 0; round < rounds; round++) {
          await page.reload();
          await page.waitForFunction(() => globalThis.bench !== undefined);
          walls.push(
            await page.evaluate(async (word) => {
              await globalThis.bench?.ask('start', 0);
              // The first search writes the rows that later ones read.
              if (word === 'search') await globalThis.bench?.ask(word, 0);
              const begin = performance.now();
              await globalThis.bench?.ask(word, 0);
              return performance.now() - begin;
            }, word),
          );
        }
        return { wall: median(walls) };
      } finally {
        await close();
      }
    },
  })),
};
