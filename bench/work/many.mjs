import { sides } from '../sides.mjs';
import { askPage, withTab } from './ask.mjs';

const chats = 10;
const seconds = 3;
const rate = 100;

/** @type {import('../work.mjs').Work} */
export const many = {
  id: 'K',
  title: `${chats} sessions on one page, ${rate} chunks a second each, for ${seconds} s`,
  metrics: [{ id: 'busy', unit: '% of the main thread' }],
  cases: [
    {
      id: 'K',
      label: 'all at once',
      sides: sides.map(({ id }) => id),
      measure: ({ browser }, side) =>
        withTab(browser, `sides/${side}`, { chats }, async (tab) => {
          const before = await tab.busy();
          await Promise.all(
            Array.from({ length: chats }, (_, chat) => askPage(tab, { chunks: rate * seconds, rate }, chat)),
          );
          return { busy: ((await tab.busy()) - before) / seconds / 10 };
        }),
    },
  ],
};
