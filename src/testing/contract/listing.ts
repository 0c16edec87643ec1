import type { SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same } from './expect.ts';
import { addSession, summaryOf, pagesOf, textAt, writeOf } from './sample.ts';

/** Writes sessions `s0`, `s1`, … whose `updatedAt` is `timeOf` their index. */
async function addSessions(
  store: SessionStore,
  count: number,
  timeOf: (index: number) => number,
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  await Promise.all(ids.map((id, index) => addSession(store, id, 1, { updatedAt: timeOf(index) })));
  return ids;
}

export const listing: readonly Behaviour[] = [
  {
    name: 'lists nothing in an empty store',
    check: async (store) => same(await store.list(), { sessions: [] }, 'list'),
  },
  {
    name: 'lists whole summaries, the newest change first',
    async check(store) {
      await addSession(store, 'old', 1, { updatedAt: 1 });
      await addSession(store, 'new', 1, { updatedAt: 3 });
      await addSession(store, 'middle', 1, { updatedAt: 2 });
      const expected = [
        ['new', 3],
        ['middle', 2],
        ['old', 1],
      ] as const;
      same(
        (await store.list()).sessions,
        expected.map(([id, updatedAt]) => summaryOf(id, 1, { updatedAt })),
        'list',
      );
    },
  },
  {
    name: 'moves a session to the front when it changes',
    async check(store) {
      await addSessions(store, 3, (index) => 1000 + index);
      await store.write(writeOf('s0', 1, [textAt(2)], { summary: summaryOf('s0', 2, { updatedAt: 5000 }) }));
      same(await pagesOf(store), [['s0', 's2', 's1']], 'list');
    },
  },
  {
    name: 'returns 50 rows per page by default',
    async check(store) {
      const ids = await addSessions(store, 51, (index) => index);
      same(await pagesOf(store), [ids.toReversed().slice(0, 50), ['s0']], 'pages');
    },
  },
  {
    name: 'returns no cursor with the last page, even when the page is full',
    async check(store) {
      await addSessions(store, 4, (index) => index);
      same(
        await pagesOf(store, 2),
        [
          ['s3', 's2'],
          ['s1', 's0'],
        ],
        'pages',
      );
      same(await pagesOf(store, 1), [['s3'], ['s2'], ['s1'], ['s0']], 'pages of one');
    },
  },
  {
    name: 'lists sessions of the same time once each across pages',
    async check(store) {
      const ids = await addSessions(store, 25, () => 1000);
      const pages = await pagesOf(store, 4);
      same(
        pages.map((page) => page.length),
        [4, 4, 4, 4, 4, 4, 1],
        'lengths',
      );
      same(pages.flat().toSorted(), ids.toSorted(), 'ids');
    },
  },
  {
    name: 'lists sessions whose times are far apart, negative, zero or fractions of a millisecond',
    async check(store) {
      const times = [0, -1, 0.5, 8.64e15, 1_700_000_000_000.25];
      await addSessions(store, times.length, (index) => times[index] ?? 0);
      same(await pagesOf(store, 2), [['s3', 's4'], ['s2', 's0'], ['s1']], 'pages');
    },
  },
  {
    name: 'continues at the same place when sessions were added before it',
    async check(store) {
      await addSessions(store, 6, (index) => 1000 + index);
      const { cursor = '' } = await store.list({ limit: 3 });
      await addSession(store, 'newer', 1, { updatedAt: 9000 });
      same(
        (await store.list({ cursor })).sessions.map(({ id }) => id),
        ['s2', 's1', 's0'],
        'second page',
      );
    },
  },
  {
    name: 'continues at the same place when the last session of a page has moved or was removed',
    async check(store) {
      await addSessions(store, 7, (index) => 1000 + index);
      const first = await store.list({ limit: 2 });
      await store.write(writeOf('s5', 1, [textAt(2)], { summary: summaryOf('s5', 2, { updatedAt: 9000 }) }));
      const second = await store.list({ limit: 2, cursor: first.cursor ?? '' });
      await store.remove('s3');
      const third = await store.list({ limit: 5, cursor: second.cursor ?? '' });
      const ids = [second, third].map(({ sessions }) => sessions.map(({ id }) => id));
      same(
        ids,
        [
          ['s4', 's3'],
          ['s2', 's1', 's0'],
        ],
        'pages',
      );
    },
  },
  {
    name: 'lists 1,000 sessions once each in pages of 100',
    async check(store) {
      const ids = await addSessions(store, 1000, (index) => Math.floor(index / 7));
      const pages = await pagesOf(store, 100);
      same([pages.length, pages.flat().toSorted()], [10, ids.toSorted()], 'ids');
    },
  },
  {
    name: 'rejects a limit that is not a whole number from 1 on',
    async check(store) {
      await addSessions(store, 2, (index) => index);
      for (const limit of [0, -1, 1.5, Number.NaN, Infinity]) {
        await refused(store.list({ limit }), 'INVALID_INPUT', String(limit));
        await refused(store.list({ limit, search: 'x' }), 'INVALID_INPUT', `${limit}, with a search`);
      }
    },
  },
  {
    name: 'rejects a cursor that it did not return',
    async check(store) {
      await addSessions(store, 2, (index) => index);
      for (const cursor of ['', 'x', '{}', '[1]', '[null,"a"]', '["a",1]']) {
        await refused(store.list({ cursor }), 'INVALID_INPUT', JSON.stringify(cursor));
      }
    },
  },
];
