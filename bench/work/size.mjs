import { remoteSides, sides } from '../sides.mjs';
import { withTab } from './ask.mjs';

/** @type {(id: string, label: string, who: readonly string[]) => import('../work.mjs').Case} */
const toCase = (id, label, who) => ({
  id,
  label,
  sides: who,
  quick: true,
  runs: 1,
  measure: ({ browser }, side) =>
    withTab(browser, `sides/${side}`, {}, async (tab) => ({ size: (await tab.weight()) / 1000 })),
});

const all = sides.map(({ id }) => id);

/** @type {import('../work.mjs').Work} */
export const size = {
  id: 'G',
  title: 'Scripts that a chat page loads up to its first answer, without React',
  metrics: [{ id: 'size', unit: 'KB gzip', absolute: true }],
  cases: [
    toCase(
      'G',
      'agent in the page',
      all.filter((id) => !remoteSides.includes(id)),
    ),
    toCase('G hooks', 'hooks only, the agent on a server', remoteSides),
  ],
};
