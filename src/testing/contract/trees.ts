import type { SessionSummary } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { same } from './expect.ts';
import { addSession, pagesOf, summaryOf } from './sample.ts';

const path = [{ sessionId: 'root', callId: 'c' }] as const;
const child: Partial<SessionSummary> = { path };

export const trees: readonly Behaviour[] = [
  {
    name: 'keeps the path and the number of children of a summary',
    async check(store) {
      await addSession(store, 'root', 1, { children: 2 });
      await addSession(store, 'child', 1, child);
      same((await store.read('root'))?.summary, summaryOf('root', 1, { children: 2 }), 'root');
      same((await store.read('child'))?.summary, summaryOf('child', 1, child), 'child');
      // What a removal reads of a session: its row, and no event.
      const { summary, events } = (await store.read('root', { after: Number.MAX_SAFE_INTEGER })) ?? {};
      same([summary, events], [summaryOf('root', 1, { children: 2 }), []], 'the row alone');
    },
  },
  {
    name: 'lists the sessions that calls have started with `children` only, page by page, in the order of all',
    async check(store) {
      for (let index = 0; index < 6; index++)
        await addSession(store, `s${index}`, 1, { updatedAt: 1000 + index, ...(index % 2 === 1 && child) });
      same(await pagesOf(store, 2), [['s4', 's2'], ['s0']], 'roots');
      same(
        await pagesOf(store, 4, { children: true }),
        [
          ['s5', 's4', 's3', 's2'],
          ['s1', 's0'],
        ],
        'all',
      );
    },
  },
  {
    name: 'lists a session that waits below a call among those that wait',
    needs: 'waiting',
    async check(store) {
      await addSession(store, 'root', 1, { updatedAt: 1000, status: 'running' });
      await addSession(store, 'child', 1, { updatedAt: 1001, ...child, status: 'waiting' });
      same((await pagesOf(store, 9, { waiting: true })).flat(), ['child'], 'waiting');
    },
  },
];
