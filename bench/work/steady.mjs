import { sides } from '../sides.mjs';
import { askPage, withTab } from './ask.mjs';

const seconds = 3;
const rate = 200;

/** @type {import('../work.mjs').Work} */
export const steady = {
  id: 'B',
  title: `${rate} chunks a second for ${seconds} s`,
  metrics: [
    { id: 'busy', unit: '% of the main thread' },
    { id: 'commits', unit: 'commits a second', absolute: true, slack: 3 },
    { id: 'rows', unit: 'rows a commit', absolute: true },
  ],
  cases: [0, 200, 1_000].map((history) => ({
    id: `B ${history}`,
    label: `into ${history.toLocaleString('en')} messages`,
    sides: sides.map(({ id }) => id),
    quick: history === 1_000,
    measure: ({ browser }, side) =>
      withTab(browser, `sides/${side}`, { history }, async (tab) => {
        const countsNow = () => tab.page.evaluate(() => ({ ...globalThis.bench?.counts }));
        const before = await countsNow();
        const busyBefore = await tab.busy();
        await askPage(tab, { chunks: rate * seconds, rate });
        const busy = (await tab.busy()) - busyBefore;
        const after = await countsNow();
        const commits = (after.commits ?? 0) - (before.commits ?? 0);
        return {
          // Share of the time that the answer takes on its own: a busy machine, or a side that falls behind, takes longer.
          busy: busy / seconds / 10,
          commits: commits / seconds,
          rows: ((after.rows ?? 0) - (before.rows ?? 0)) / commits,
        };
      }),
  })),
};
