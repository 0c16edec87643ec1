import type { Behaviour } from './behaviour.ts';
import { refused, same } from './expect.ts';
import { addSession, pagesOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

export const removing: readonly Behaviour[] = [
  {
    name: 'removes a session with its summary and events, once',
    async check(store) {
      await addSession(store, 'a', 5);
      same([await store.remove('a'), await store.remove('a')], [true, false], 'remove');
      same(await store.read('a'), undefined, 'read');
      same(await pagesOf(store), [[]], 'list');
    },
  },
  {
    name: 'resolves with false where there is nothing to remove',
    check: async (store) => same(await store.remove('missing'), false, 'remove'),
  },
  {
    name: 'removes no other session',
    async check(store) {
      for (const id of ['a', 'a\u0000', 'aa', 'b', '']) await addSession(store, id, 3);
      await store.remove('a');
      same(await pagesOf(store), [['b', 'aa', 'a\u0000', '']], 'list');
      same(await seqsOf(store, 'a\u0000'), [1, 2, 3], 'events');
    },
  },
  {
    name: 'refuses a write to a removed session',
    async check(store) {
      await addSession(store, 'a', 3);
      await store.remove('a');
      await refused(store.write(writeOf('a', 3, [textAt(4)])), 'STORAGE_CONFLICT', 'write');
      same([await store.read('a'), await pagesOf(store)], [undefined, [[]]], 'what is stored');
    },
  },
  {
    name: 'stores a new session under the id of a removed one',
    async check(store) {
      await addSession(store, 'a', 5);
      await store.remove('a');
      await addSession(store, 'a', 2);
      await store.write(writeOf('a', 2, [textAt(3)]));
      same((await store.read('a'))?.events, textsAt(1, 3), 'events');
      same([await store.remove('a'), await store.read('a')], [true, undefined], 'removed again');
    },
  },
  {
    name: 'leaves nothing of a session that is removed and written at the same time',
    async check(store) {
      await addSession(store, 'a', 3);
      const [wasThere] = await Promise.all([
        store.remove('a'),
        store.write(writeOf('a', 3, [textAt(4)])).catch(() => {}),
      ]);
      same([wasThere, await store.read('a'), await pagesOf(store)], [true, undefined, [[]]], 'removed');
    },
  },
];
