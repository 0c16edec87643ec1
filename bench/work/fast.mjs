import { sides } from '../sides.mjs';
import { askPage, withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const fast = {
  id: 'A',
  title: 'An answer as fast as it comes',
  metrics: [{ id: 'busy', unit: 'ms' }],
  cases: [2_000, 10_000, 50_000].map((chunks) => ({
    id: `A ${chunks}`,
    label: `${chunks.toLocaleString('en')} chunks`,
    sides: sides.map(({ id }) => id),
    quick: chunks === 10_000,
    runs: chunks === 50_000 ? 7 : 15,
    measure: ({ browser }, side) =>
      withTab(browser, `sides/${side}`, {}, async (tab) => {
        const before = await tab.busy();
        await askPage(tab, { chunks });
        return { busy: (await tab.busy()) - before };
      }),
  })),
};
