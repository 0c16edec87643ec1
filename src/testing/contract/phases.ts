import type { SessionEvent } from '../../core/model/event.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same } from './expect.ts';
import { begin, headOf, messageAt, pagesOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

/** What a store may do with the stages of a write must not be seen but in the list. */
export const staging: readonly Behaviour[] = [
  {
    name: 'reads all of a text that streams, and the true seq, whatever the list shows meanwhile',
    async check(store) {
      await begin(store, 'a', 2);
      await store.write(writeOf('a', 2, [textAt(3)], { phase: 'streaming' }));
      await store.write(writeOf('a', 3, [textAt(5)], { phase: 'streaming' }));
      const stored = await store.read('a');
      same([stored?.summary.seq, stored?.events], [5, [...textsAt(1, 3), textAt(5)]], 'read');
      same(await pagesOf(store), [['a']], 'list');
    },
  },
  {
    name: 'refuses a late writer while a text streams, and the late writer of a text',
    async check(store) {
      await begin(store, 'a', 2);
      await store.write(writeOf('a', 2, [textAt(3)], { phase: 'streaming' }));
      await refused(store.write(writeOf('a', 2, [textAt(3)])), 'STORAGE_CONFLICT', 'a late write');
      await refused(
        store.write(writeOf('a', 2, [textAt(4)], { phase: 'streaming' })),
        'STORAGE_CONFLICT',
        'a late text',
      );
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
    },
  },
  {
    name: 'lists what the next write says that is no text that streams',
    async check(store) {
      await begin(store, 'a', 2);
      await begin(store, 'b', 1, { updatedAt: 2000 });
      await store.write(writeOf('a', 2, [textAt(3)], { phase: 'streaming' }));
      const summary = headOf('a', 4, { updatedAt: 3000, title: 'later' });
      await store.write(writeOf('a', 3, [textAt(4)], { summary }));
      same((await store.list()).sessions, [summary, headOf('b', 1, { updatedAt: 2000 })], 'list');
    },
  },
  {
    name: 'keeps no late writer out less when a session was removed while a text streamed',
    async check(store) {
      await begin(store, 'a', 2);
      await store.write(writeOf('a', 2, [textAt(3)], { phase: 'streaming' }));
      same([await store.remove('a'), await store.read('a')], [true, undefined], 'removed');
      await refused(
        store.write(writeOf('a', 3, [textAt(4)], { phase: 'streaming' })),
        'STORAGE_CONFLICT',
        'a late text',
      );
    },
  },
  {
    name: 'keeps events that are settled in their order, and gives them from any place on',
    async check(store) {
      const all = Array.from({ length: 300 }, (_, index) => textAt(1 + index, 'x'.repeat(index)));
      await store.write(writeOf('a', 0, all.slice(0, 250), { phase: 'settled' }));
      await store.write(writeOf('a', 250, all.slice(250)));
      same((await store.read('a'))?.events, all, 'all');
      for (const after of [0, 1, 100, 128, 249, 250, 299]) {
        same((await store.read('a', { after }))?.events, all.slice(after), `after ${after}`);
      }
    },
  },
  {
    name: 'settles the events of a range around one that stays where it is',
    async check(store) {
      const big = messageAt(3, { type: 'text', text: 'x'.repeat(5_000) });
      await store.write(writeOf('a', 0, [textAt(1), textAt(2), big, textAt(4), textAt(5)]));
      const events: readonly SessionEvent[] = [textAt(1), textAt(2), { ...textAt(5, '45'), since: 4 }, textAt(6)];
      await store.write(
        writeOf('a', 5, events, {
          phase: 'settled',
          replaces: [
            [1, 2],
            [4, 5],
          ],
        }),
      );
      await store.write(writeOf('a', 6, [textAt(7)]));
      same(await seqsOf(store, 'a'), [1, 2, 3, 5, 6, 7], 'seqs');
      same(
        [await seqsOf(store, 'a', 2), await seqsOf(store, 'a', 4)],
        [
          [3, 5, 6, 7],
          [5, 6, 7],
        ],
        'after',
      );
    },
  },
  {
    name: 'keeps attachments of events that are settled',
    async check(store) {
      const image = (fill: string) => ({ type: 'image', mediaType: 'image/png', data: fill.repeat(3_000) }) as const;
      const events = [messageAt(1, image('A')), textAt(2), messageAt(3, image('B'), image('A'))];
      await store.write(writeOf('a', 0, events, { phase: 'settled' }));
      same((await store.read('a'))?.events, events, 'events');
      same((await store.read('a', { after: 1 }))?.events, events.slice(1), 'after 1');
    },
  },
  {
    name: 'changes nothing when a write of settled events is refused',
    async check(store) {
      await begin(store, 'a', 4);
      const write = writeOf('a', 3, [...textsAt(1, 3), textAt(5)], { phase: 'settled', replaces: [[1, 3]] });
      await refused(store.write(write), 'STORAGE_CONFLICT', 'write');
      same(await seqsOf(store, 'a'), [1, 2, 3, 4], 'seqs');
    },
  },
];
