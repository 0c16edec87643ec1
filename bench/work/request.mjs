import { ask } from '../wires.mjs';
import { withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const request = {
  id: 'L',
  title: 'From a question to its request, within a window of two million tokens: counted, made and sent',
  metrics: [{ id: 'busy', unit: 'ms', slack: 2 }],
  cases: [100, 1_000, 10_000].map((history) => ({
    id: `L ${history}`,
    label: `${history.toLocaleString('en')} messages before`,
    // The other sides count no tokens.
    sides: ['floor', 'brooklet'],
    runs: 5,
    measure: ({ browser, served }, side) =>
      withTab(browser, `cores/${side}`, { history, chars: 120, window: 2_000_000 }, async (tab) => {
        const next = served.next(true);
        const before = await tab.busy();
        const answered = tab.page.evaluate((text) => globalThis.bench?.ask(text, 0), ask({ chunks: 10 }));
        const { release } = await next;
        const busy = (await tab.busy()) - before;
        release();
        await answered;
        return { busy };
      }),
  })),
};
