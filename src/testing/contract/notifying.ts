import { config } from 'rxjs';
import type { SessionStore } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same, notified } from './expect.ts';
import { addSession, seqsOf, textAt, writeOf } from './sample.ts';

/** Resolves with the ids that `changes$` emits during the work, up to a last write to `end`, which is left out. */
async function changesDuring(store: SessionStore, work: () => Promise<void>): Promise<readonly string[]> {
  const ids: string[] = [];
  const subscription = store.changes$.subscribe((id) => ids.push(id));
  await work();
  const atEnd = notified(store, 'end');
  await addSession(store, 'end', 1);
  await atEnd;
  subscription.unsubscribe();
  return ids.filter((id) => id !== 'end');
}

export const notifying: readonly Behaviour[] = [
  {
    name: 'emits the id of each written and removed session',
    async check(store) {
      const ids = await changesDuring(store, async () => {
        await addSession(store, 'a', 1);
        await addSession(store, 'b', 1);
        await store.write(writeOf('a', 1, [textAt(2)]));
        await store.remove('b');
      });
      same(ids, ['a', 'b', 'a', 'b'], 'changes');
    },
  },
  {
    name: 'emits a change once it can be read',
    async check(store) {
      const readOnChange = notified(store, 'a').then(() => seqsOf(store, 'a'));
      await addSession(store, 'a', 2);
      same(await readOnChange, [1, 2], 'read on the change');
    },
  },
  {
    name: 'emits nothing for a refused write and for the removal of a missing session',
    async check(store) {
      await addSession(store, 'a', 2);
      const ids = await changesDuring(store, async () => {
        await refused(store.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'write');
        await store.remove('missing');
      });
      same(ids, [], 'changes');
    },
  },
  {
    name: 'emits no earlier changes to a late subscriber',
    async check(store) {
      await addSession(store, 'a', 1);
      same(await changesDuring(store, async () => {}), [], 'changes');
    },
  },
  {
    name: 'emits to every subscriber, and nothing more after unsubscribing',
    async check(store) {
      const afterLeaving: string[] = [];
      store.changes$.subscribe((id) => afterLeaving.push(id)).unsubscribe();
      const both = Promise.all([notified(store, 'a'), notified(store, 'a')]);
      await addSession(store, 'a', 1);
      await both;
      same(afterLeaving, [], 'after leaving');
    },
  },
  {
    name: 'still notifies other subscribers and stores writes when a subscriber throws',
    async check(store) {
      // RxJS rethrows a subscriber's error on a timer; here it does so twice.
      const { onUnhandledError } = config;
      let times = 0;
      const rethrown = new Promise<void>((resolve) => (config.onUnhandledError = () => ++times === 2 && resolve()));
      try {
        store.changes$.subscribe(() => {
          throw new Error('thrown by a subscriber, on purpose');
        });
        const other = notified(store, 'a');
        await addSession(store, 'a', 2);
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
