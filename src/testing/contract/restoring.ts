import type { SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same, notified } from './expect.ts';
import { addSession, summaryOf, pagesOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

const restored = async (store: SessionStore, sessionId: string): Promise<boolean | undefined> =>
  store.restore?.(sessionId);
const removed = async (store: SessionStore, sessionId: string): Promise<boolean | undefined> =>
  store.wasRemoved?.(sessionId);

export const restoring: readonly Behaviour[] = [
  {
    name: 'restores a removed session with its summary and all events, once',
    needs: 'restoring',
    async check(store) {
      await addSession(store, 'a', 5);
      await addSession(store, 'b', 2);
      await store.remove('a');
      same([await restored(store, 'a'), await restored(store, 'a')], [true, false], 'restore');
      same(await store.read('a'), { summary: summaryOf('a', 5), events: textsAt(1, 5) }, 'read');
      same(await pagesOf(store), [['a', 'b']], 'list');
    },
  },
  {
    name: 'accepts writes to a restored session',
    needs: 'restoring',
    async check(store) {
      await addSession(store, 'a', 2);
      await store.remove('a');
      await restored(store, 'a');
      await refused(store.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'stale write');
      await store.write(writeOf('a', 2, [textAt(3)]));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
      same([await store.remove('a'), await restored(store, 'a')], [true, true], 'removed again');
    },
  },
  {
    name: 'restores nothing that was not removed, or whose id is used again',
    needs: 'restoring',
    async check(store) {
      await addSession(store, 'a', 5);
      same([await restored(store, 'a'), await restored(store, 'missing')], [false, false], 'restore');
      await store.remove('a');
      await addSession(store, 'a', 2);
      same([await restored(store, 'a'), await seqsOf(store, 'a')], [false, [1, 2]], 'taken');
    },
  },
  {
    name: 'emits the id of a restored session',
    needs: 'restoring',
    async check(store) {
      await addSession(store, 'a', 1);
      await store.remove('a');
      const change = notified(store, 'a').then(() => seqsOf(store, 'a'));
      await restored(store, 'a');
      same(await change, [1], 'read on the change');
    },
  },
  {
    name: 'distinguishes removed sessions from those that never existed',
    needs: 'restoring',
    async check(store) {
      await addSession(store, 'a', 1);
      await addSession(store, 'b', 1);
      await store.remove('b');
      same(
        [await removed(store, 'a'), await removed(store, 'b'), await removed(store, 'c')],
        [false, true, false],
        'removed',
      );
      await restored(store, 'b');
      same(await removed(store, 'b'), false, 'restored');
    },
  },
];
