import type { SessionStore, StoreMeta } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { outcomeOf, same } from './expect.ts';
import { addSession, pagesOf } from './sample.ts';

export const metaEntries: readonly Behaviour[] = [
  {
    name: 'keeps meta entries by key, apart from the sessions',
    needs: 'meta',
    async check(store) {
      const meta = metaOf(store);
      same(await meta.get('a'), undefined, 'before');
      await meta.update('a', () => ({ list: [1, null, 'x'], deep: { er: true } }));
      await meta.update('__proto__', () => 0);
      await addSession(store, 'a', 1);
      same(
        [await meta.get('a'), await meta.get('__proto__')],
        [{ list: [1, null, 'x'], deep: { er: true } }, 0],
        'entries',
      );
      same([await meta.get('b'), await pagesOf(store)], [undefined, [['a']]], 'others');
      await store.remove('a');
      same(await meta.get('__proto__'), 0, 'after a session was removed');
    },
  },
  {
    name: 'updates a meta entry from its present value, and removes it',
    needs: 'meta',
    async check(store) {
      const meta = metaOf(store);
      await meta.update('n', () => 1);
      await meta.update('n', (value) => Number(value) + 1);
      same(await meta.get('n'), 2, 'updated');
      await meta.update('n', () => undefined);
      await meta.update('none', (value) => value);
      same([await meta.get('n'), await meta.get('none')], [undefined, undefined], 'removed');
    },
  },
  {
    name: 'loses none of many concurrent updates of a meta entry',
    needs: 'meta',
    async check(store) {
      const meta = metaOf(store);
      const updates = Array.from({ length: 20 }, () => meta.update('n', (value = 0) => Number(value) + 1));
      await Promise.all(updates);
      same(await meta.get('n'), 20, 'sum');
    },
  },
  {
    name: 'keeps a meta entry unchanged when its update throws, and rejects',
    needs: 'meta',
    async check(store) {
      const meta = metaOf(store);
      await meta.update('n', () => 1);
      const thrown = await outcomeOf(
        meta.update('n', () => {
          throw new RangeError('no');
        }),
      );
      same([thrown instanceof Error, await meta.get('n')], [true, 1], 'rejected, and unchanged');
      await meta.update('n', () => 2);
      same(await meta.get('n'), 2, 'updated later');
    },
  },
];

function metaOf({ meta }: SessionStore): StoreMeta {
  if (meta === undefined) throw new Error("expected the store to have `meta`: declare { unsupported: ['meta'] }.");
  return meta;
}
