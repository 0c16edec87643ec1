import { sides } from '../sides.mjs';
import { askPage, withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const toolInput = {
  id: 'D',
  title: "A tool's input in pieces of 20 characters, as fast as it comes, growing on the screen",
  metrics: [{ id: 'busy', unit: 'ms' }],
  cases: [64, 256].map((size) => ({
    id: `D ${size}`,
    label: `${size} KB`,
    sides: sides.map(({ id }) => id),
    quick: size === 64,
    measure: ({ browser }, side) =>
      withTab(browser, `sides/${side}`, {}, async (tab) => {
        const before = await tab.busy();
        await askPage(tab, { chunks: Math.ceil((size * 1024) / 20), kind: 'input' });
        return { busy: (await tab.busy()) - before };
      }),
  })),
};
