import { config } from 'rxjs';
import type { SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same, told } from './expect.ts';
import { begin, seqsOf, textAt, writeOf } from './sample.ts';

/** What `changes$` tells until a last write to `end`, which is not in it. */
async function heard(store: SessionStore, during: () => Promise<void>): Promise<readonly string[]> {
  const ids: string[] = [];
  const subscription = store.changes$.subscribe((id) => ids.push(id));
  await during();
  const atEnd = told(store, 'end');
  await begin(store, 'end', 1);
  await atEnd;
  subscription.unsubscribe();
  return ids.filter((id) => id !== 'end');
}

export const telling: readonly Behaviour[] = [
  {
    name: 'tells of each write and removal',
    async check(store) {
      const ids = await heard(store, async () => {
        await begin(store, 'a', 1);
        await begin(store, 'b', 1);
        await store.write(writeOf('a', 1, [textAt(2)]));
        await store.remove('b');
      });
      same(ids, ['a', 'b', 'a', 'b'], 'changes');
    },
  },
  {
    name: 'tells of a change when it can be read',
    async check(store) {
      const inTime = told(store, 'a').then(() => seqsOf(store, 'a'));
      await begin(store, 'a', 2);
      same(await inTime, [1, 2], 'read upon the change');
    },
  },
  {
    name: 'tells nothing of refused writes and of removals of nothing',
    async check(store) {
      await begin(store, 'a', 2);
      const ids = await heard(store, async () => {
        await refused(store.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'write');
        await store.remove('nobody');
      });
      same(ids, [], 'changes');
    },
  },
  {
    name: 'tells a late subscriber nothing of the past',
    async check(store) {
      await begin(store, 'a', 1);
      same(await heard(store, async () => {}), [], 'changes');
    },
  },
  {
    name: 'tells every subscriber, and those no more who have left',
    async check(store) {
      const gone: string[] = [];
      store.changes$.subscribe((id) => gone.push(id)).unsubscribe();
      const both = Promise.all([told(store, 'a'), told(store, 'a')]);
      await begin(store, 'a', 1);
      await both;
      same(gone, [], 'after leaving');
    },
  },
  {
    name: 'is not broken by a subscriber that throws',
    async check(store) {
      // RxJS rethrows on a timer what a subscriber threw; here both times are expected.
      const { onUnhandledError } = config;
      let times = 0;
      const rethrown = new Promise<void>((resolve) => (config.onUnhandledError = () => ++times === 2 && resolve()));
      try {
        store.changes$.subscribe(() => {
          throw new Error('thrown by a subscriber, on purpose');
        });
        const other = told(store, 'a');
        await begin(store, 'a', 2);
        await other;
        await store.write(writeOf('a', 2, [textAt(3)]));
        same(await seqsOf(store, 'a'), [1, 2, 3], 'stored');
        await rethrown;
      } finally {
        config.onUnhandledError = onUnhandledError;
      }
    },
  },
];
