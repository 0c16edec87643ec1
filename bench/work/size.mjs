import { sides } from '../sides.mjs';
import { withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const size = {
  id: 'G',
  title: 'Scripts that a chat page loads, without React',
  metrics: [{ id: 'size', unit: 'KB gzip', absolute: true }],
  cases: [
    {
      id: 'G',
      label: 'up to its first answer',
      sides: sides.map(({ id }) => id),
      quick: true,
      runs: 1,
      measure: ({ browser }, side) =>
        withTab(browser, `sides/${side}`, {}, async (tab) => ({ size: (await tab.weight()) / 1000 })),
    },
  ],
};
