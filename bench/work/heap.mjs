import { sides } from '../sides.mjs';
import { askPage, withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const heap = {
  id: 'F',
  title: 'Heap after 1,000 messages and an answer of 50,000 chunks',
  metrics: [{ id: 'heap', unit: 'MB' }],
  cases: [
    {
      id: 'F',
      label: 'after a collection',
      sides: sides.map(({ id }) => id),
      runs: 1,
      measure: ({ browser }, side) =>
        withTab(browser, `sides/${side}`, { history: 1_000 }, async (tab) => {
          await askPage(tab, { chunks: 50_000 });
          return { heap: (await tab.heap()) / 1e6 };
        }),
    },
  ],
};
