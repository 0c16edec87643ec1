import { sides } from '../sides.mjs';
import { median } from '../results.mjs';
import { askPage, clockOffset, withTab } from './ask.mjs';

const rounds = 5;

/** @type {import('../work.mjs').Work} */
export const firstText = {
  id: 'C',
  title: 'From the first chunk leaving the server to its text on the screen',
  metrics: [{ id: 'delay', unit: 'ms', absolute: true, slack: 3 }],
  cases: [
    {
      id: 'C',
      label: 'after the frame that shows it',
      sides: sides.map(({ id }) => id),
      quick: true,
      measure: ({ browser, served }, side) =>
        withTab(browser, `sides/${side}`, { history: 10 }, async (tab) => {
          const offset = await clockOffset(tab, served);
          /** @type {number[]} */
          const delays = [];
          for (let round = 0; round < rounds; round++) {
            const times = served.next();
            const shown = tab.page.evaluate(() => globalThis.bench?.shownAt?.());
            // Not aligned with the frames.
            await askPage(tab, { chunks: 3, rate: 10, wait: 100 + 5 * round });
            delays.push(((await shown) ?? NaN) + offset - (await (await times).firstChunk));
          }
          return { delay: median(delays) };
        }),
    },
  ],
};
