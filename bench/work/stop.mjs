import { sides } from '../sides.mjs';
import { median } from '../results.mjs';
import { askPage, clockOffset, sleep, withTab } from './ask.mjs';

const rounds = 3;

/** @type {import('../work.mjs').Work} */
export const stop = {
  id: 'E',
  title: 'From stop to the server seeing it',
  metrics: [{ id: 'delay', unit: 'ms', absolute: true, slack: 3 }],
  cases: [
    {
      id: 'E',
      label: 'in the middle of an answer',
      sides: sides.map(({ id }) => id),
      measure: ({ browser, served }, side) =>
        withTab(browser, `sides/${side}`, { history: 10 }, async (tab) => {
          const offset = await clockOffset(tab, served);
          /** @type {number[]} */
          const delays = [];
          for (let round = 0; round < rounds; round++) {
            const times = served.next();
            // A stopped answer never shows all its text, and some sides report that as an error.
            askPage(tab, { chunks: 2_000, rate: 200 }).catch(() => {});
            const { closed } = await times;
            await sleep(300);
            const at = await tab.page.evaluate(() => globalThis.bench?.stop?.());
            delays.push((await closed) - (at ?? NaN) - offset);
            await sleep(100);
          }
          return { delay: median(delays) };
        }),
    },
  ],
};
