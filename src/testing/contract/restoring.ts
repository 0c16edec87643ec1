import type { SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same, told } from './expect.ts';
import { begin, headOf, pagesOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

const restored = async (store: SessionStore, sessionId: string): Promise<boolean | undefined> =>
  store.restore?.(sessionId);
const removed = async (store: SessionStore, sessionId: string): Promise<boolean | undefined> =>
  store.wasRemoved?.(sessionId);

export const restoring: readonly Behaviour[] = [
  {
    name: 'takes a removal back, with the row and all events, once',
    needs: 'restoring',
    async check(store) {
      await begin(store, 'a', 5);
      await begin(store, 'b', 2);
      await store.remove('a');
      same([await restored(store, 'a'), await restored(store, 'a')], [true, false], 'restore');
      same(await store.read('a'), { summary: headOf('a', 5), events: textsAt(1, 5) }, 'read');
      same(await pagesOf(store), [['a', 'b']], 'list');
    },
  },
  {
    name: 'goes on with a session whose removal was taken back',
    needs: 'restoring',
    async check(store) {
      await begin(store, 'a', 2);
      await store.remove('a');
      await restored(store, 'a');
      await refused(store.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'stale write');
      await store.write(writeOf('a', 2, [textAt(3)]));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
      same([await store.remove('a'), await restored(store, 'a')], [true, true], 'removed again');
    },
  },
  {
    name: 'takes nothing back that was not removed, or whose id is taken',
    needs: 'restoring',
    async check(store) {
      await begin(store, 'a', 5);
      same([await restored(store, 'a'), await restored(store, 'nobody')], [false, false], 'restore');
      await store.remove('a');
      await begin(store, 'a', 2);
      same([await restored(store, 'a'), await seqsOf(store, 'a')], [false, [1, 2]], 'taken');
    },
  },
  {
    name: 'tells of a removal that was taken back',
    needs: 'restoring',
    async check(store) {
      await begin(store, 'a', 1);
      await store.remove('a');
      const change = told(store, 'a').then(() => seqsOf(store, 'a'));
      await restored(store, 'a');
      same(await change, [1], 'read upon the change');
    },
  },
  {
    name: 'knows what was removed from what never was',
    needs: 'restoring',
    async check(store) {
      await begin(store, 'a', 1);
      await begin(store, 'b', 1);
      await store.remove('b');
      same(
        [await removed(store, 'a'), await removed(store, 'b'), await removed(store, 'c')],
        [false, true, false],
        'removed',
      );
      await restored(store, 'b');
      same(await removed(store, 'b'), false, 'taken back');
    },
  },
];
