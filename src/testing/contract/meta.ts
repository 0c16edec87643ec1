import type { SessionStore, StoreMeta } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { outcomeOf, same } from './expect.ts';
import { begin, pagesOf } from './sample.ts';

export const facts: readonly Behaviour[] = [
  {
    name: 'keeps facts by name, apart from the sessions',
    needs: 'facts',
    async check(store) {
      const meta = factsOf(store);
      same(await meta.get('a'), undefined, 'before');
      await meta.update('a', () => ({ list: [1, null, 'x'], deep: { er: true } }));
      await meta.update('__proto__', () => 0);
      await begin(store, 'a', 1);
      same(
        [await meta.get('a'), await meta.get('__proto__')],
        [{ list: [1, null, 'x'], deep: { er: true } }, 0],
        'facts',
      );
      same([await meta.get('b'), await pagesOf(store)], [undefined, [['a']]], 'others');
      await store.remove('a');
      same(await meta.get('__proto__'), 0, 'after a session was removed');
    },
  },
  {
    name: 'changes a fact on top of what it is, and removes it',
    needs: 'facts',
    async check(store) {
      const meta = factsOf(store);
      await meta.update('n', () => 1);
      await meta.update('n', (value) => Number(value) + 1);
      same(await meta.get('n'), 2, 'changed');
      await meta.update('n', () => undefined);
      await meta.update('none', (value) => value);
      same([await meta.get('n'), await meta.get('none')], [undefined, undefined], 'removed');
    },
  },
  {
    name: 'loses none of many changes at once',
    needs: 'facts',
    async check(store) {
      const meta = factsOf(store);
      const changes = Array.from({ length: 20 }, () => meta.update('n', (value = 0) => Number(value) + 1));
      await Promise.all(changes);
      same(await meta.get('n'), 20, 'sum');
    },
  },
  {
    name: 'leaves a fact as it is where its change throws, and rejects',
    needs: 'facts',
    async check(store) {
      const meta = factsOf(store);
      await meta.update('n', () => 1);
      const thrown = await outcomeOf(
        meta.update('n', () => {
          throw new RangeError('no');
        }),
      );
      same([thrown instanceof Error, await meta.get('n')], [true, 1], 'rejected, and kept');
      await meta.update('n', () => 2);
      same(await meta.get('n'), 2, 'changed later');
    },
  },
];

function factsOf({ meta }: SessionStore): StoreMeta {
  if (meta === undefined) throw new Error('expected the store to have a meta: declare that it lacks facts.');
  return meta;
}
