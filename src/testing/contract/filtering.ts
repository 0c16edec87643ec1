import type { MetadataFilter, SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { same } from './expect.ts';
import { addSession, addSessionWithText, pagesOf, summaryOf, textAt, writeOf } from './sample.ts';

/** Writes ten sessions `s0` to `s9`: every second one is of project `x`, every fifth one is archived. */
async function addTen(store: SessionStore): Promise<void> {
  for (let index = 0; index < 10; index++) {
    const metadata = { project: index % 2 === 0 ? 'x' : 'y', archived: index % 5 === 0, count: index };
    await addSession(store, `s${index}`, 1, { updatedAt: 1000 + index, metadata });
  }
}

export const filtering: readonly Behaviour[] = [
  {
    name: 'keeps the metadata of a summary, and replaces them as a whole',
    async check(store) {
      const metadata = { project: 'x', nested: { list: [1, null, true] }, ['__proto__']: 'own' };
      await addSession(store, 'a', 1, { metadata });
      same((await store.read('a'))?.summary, summaryOf('a', 1, { metadata }), 'read');
      same((await store.list()).sessions, [summaryOf('a', 1, { metadata })], 'list');
      const summary = summaryOf('a', 2, { metadata: { other: 1 } });
      await store.write(writeOf('a', 1, [textAt(2)], { summary }));
      same((await store.list()).sessions, [summary], 'replaced');
    },
  },
  {
    name: 'keeps the origin of a row with the write that states it',
    async check(store) {
      const origin = { writeId: 'log/1', device: "Ann's phone" };
      const summary = summaryOf('a', 1, { origin });
      await store.write({ ...writeOf('a', 0, [textAt(1)], { summary }), writeId: 'log/1' });
      same((await store.read('a'))?.summary, summary, 'read');
      same((await store.list()).sessions, [summary], 'list');
      await store.write(writeOf('a', 1, [textAt(2)]));
      same((await store.read('a'))?.summary, summaryOf('a', 2), 'replaced');
    },
  },
  {
    name: 'lists the sessions whose metadata have each of the given values, page by page',
    needs: 'filtering',
    async check(store) {
      await addTen(store);
      await addSession(store, 'bare', 1);
      same(await pagesOf(store, 2, { where: { project: 'x' } }), [['s8', 's6'], ['s4', 's2'], ['s0']], 'one value');
      same(await pagesOf(store, 9, { where: { project: 'x', archived: true } }), [['s0']], 'two values');
      same(await pagesOf(store, 9, { where: { count: 0, archived: true } }), [['s0']], 'false values');
      same((await pagesOf(store, 99, { where: {} })).flat().length, 11, 'no value');
    },
  },
  {
    name: 'lists nothing for a value of another type, a missing key, or a key that objects inherit',
    needs: 'filtering',
    async check(store) {
      await addTen(store);
      for (const where of [{ count: '0' }, { missing: null }, { toString: 'x' }, { project: 'X' }])
        same((await pagesOf(store, 9, { where })).flat(), [], JSON.stringify(where));
    },
  },
  {
    name: 'lists the sessions whose metadata have a value in a list, and those that do not have a value',
    needs: 'filtering',
    async check(store) {
      await addSession(store, 'a', 1, { updatedAt: 1, metadata: { labels: ['work', 'urgent'], archived: true } });
      await addSession(store, 'b', 1, { updatedAt: 2, metadata: { labels: ['home'], archived: false } });
      await addSession(store, 'c', 1, { updatedAt: 3, metadata: { labels: 'work' } });
      await addSession(store, 'd', 1, { updatedAt: 4 });
      const found = async (where: MetadataFilter) => (await pagesOf(store, 9, { where })).flat();
      same(await found({ labels: 'work' }), ['c', 'a'], 'an item, or the value itself');
      same(await found({ labels: 'wor' }), [], 'a part of an item');
      same(await found({ archived: { not: true } }), ['d', 'c', 'b'], 'without the value, or the key');
      same(await found({ labels: 'work', archived: { not: true } }), ['c'], 'both');
      same(await found({ labels: { not: 'work' } }), ['d', 'b'], 'without an item');
      same(await pagesOf(store, 2, { where: { archived: { not: true } } }), [['d', 'c'], ['b']], 'in pages');
    },
  },
  {
    name: 'searches among the sessions with the given values',
    needs: ['filtering', 'searching'],
    async check(store) {
      await addSessionWithText(store, 'a', 'otter', { metadata: { project: 'x' } });
      await addSessionWithText(store, 'b', 'otter', { metadata: { project: 'y' } });
      await addSessionWithText(store, 'c', 'lynx', { metadata: { project: 'x' } });
      same((await pagesOf(store, 9, { where: { project: 'x' }, search: 'otter' })).flat(), ['a'], 'both');
    },
  },
];
