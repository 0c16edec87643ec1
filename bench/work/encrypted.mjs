import { median } from '../results.mjs';

/** Turns of each store: the first ones are not counted. */
const [rounds, warmUp] = [80, 10];
/** Writes in one turn: a clock of a page has a resolution of 0.1 ms. */
const inTurn = 10;

/** @type {import('../work.mjs').Work} */
export const encrypted = {
  id: 'M',
  title: 'One write to IndexedDB, with a codec and without one',
  metrics: [
    { id: 'plain', unit: 'ms without a codec', absolute: true, slack: 3 },
    { id: 'encrypted', unit: 'ms encrypted', absolute: true, slack: 3 },
    { id: 'ratio', unit: '×', absolute: true },
  ],
  cases: /** @type {const} */ ([
    [2_048, '2 kB of text that streams'],
    [24_000, 'the end of a run, of 24 kB'],
  ]).map(([size, label]) => ({
    id: `M ${size}`,
    label,
    sides: ['brooklet'],
    measure: async ({ browser }) => {
      const { page, close } = await browser.open('stores/encrypted');
      try {
        const walls = await page.evaluate(
          async ([size, rounds, inTurn]) => {
            /** @type {{ plain: number[], encrypted: number[] }} */
            const found = { plain: [], encrypted: [] };
            for (let round = 0; round < rounds; round++)
              for (const store of /** @type {const} */ (['plain', 'encrypted'])) {
                const begin = performance.now();
                for (let count = 0; count < inTurn; count++) await globalThis.bench?.ask(store, size);
                found[store].push((performance.now() - begin) / inTurn);
              }
            return found;
          },
          /** @type {const} */ ([size, rounds, inTurn]),
        );
        const [plain, sealed] = [median(walls.plain.slice(warmUp)), median(walls.encrypted.slice(warmUp))];
        return { plain, encrypted: sealed, ratio: sealed / plain };
      } finally {
        await close();
      }
    },
  })),
};
