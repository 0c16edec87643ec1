import { ask } from '../wires.mjs';
import { sleep, withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const core = {
  id: 'J',
  title: 'The client alone, from bytes to messages, without React and without a page',
  metrics: [{ id: 'busy', unit: 'µs a chunk' }],
  cases: [0, 1_000, 20_000].map((history) => ({
    id: `J ${history}`,
    label: `${history.toLocaleString('en')} messages before`,
    // assistant-ui has no client apart from its hooks.
    sides: ['floor', 'brooklet', 'ai-sdk', 'tanstack', 'pi', 'ag-ui'],
    quick: history !== 1_000,
    runs: 7,
    measure: ({ browser, served }, side) =>
      withTab(browser, `cores/${side}`, { history, chars: 120 }, async (tab) => {
        const chunks = side === 'floor' || side === 'brooklet' ? 20_000 : 2_000;
        const next = served.next(true);
        const answered = tab.page.evaluate((text) => globalThis.bench?.ask(text, 0), ask({ chunks }));
        // The request, which grows with the history, has been made; the first chunk has not arrived.
        const { release } = await next;
        await sleep(250);
        const before = await tab.busy();
        release();
        await answered;
        return { busy: (1000 * ((await tab.busy()) - before)) / chunks };
      }),
  })),
};
