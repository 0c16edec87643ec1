import { sides } from '../sides.mjs';
import { askPage, withTab } from './ask.mjs';

/** @param {number} size KB */
const chunksOf = (size) => Math.ceil((size * 1024) / 20);

/** @type {import('../work.mjs').Work} */
export const toolInput = {
  id: 'D',
  title:
    "A tool's input in pieces of 20 characters, as fast as it comes, growing on the screen; the tool, and a word after it",
  // One frame more or less is half of the floor's time.
  metrics: [{ id: 'busy', unit: 'ms', slack: 1.5 }],
  cases: /** @type {const} */ ([
    ['D 64', '64 KB', 64, 'input', sides.map(({ id }) => id)],
    ['D 256', '256 KB', 256, 'input', sides.map(({ id }) => id)],
    // The other sides are far slower.
    [
      'D first',
      '64 KB, the first call of a page that has shown text',
      64,
      'text',
      ['floor', 'brooklet', 'assistant-ui'],
    ],
  ]).map(([id, label, size, warm, who]) => ({
    id,
    label,
    sides: who,
    quick: id === 'D 64',
    runs: id === 'D 256' ? 9 : 15,
    measure: ({ browser }, side) =>
      withTab(
        browser,
        `sides/${side}`,
        {},
        async (tab) => {
          const before = await tab.busy();
          await askPage(tab, { chunks: chunksOf(size), kind: 'input' });
          return { busy: (await tab.busy()) - before };
        },
        warm,
      ),
  })),
};
