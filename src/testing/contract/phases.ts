import type { SessionEvent } from '../../core/model/event.ts';
import type { Behaviour } from './behaviour.ts';
import { refused, same } from './expect.ts';
import { addSession, summaryOf, messageAt, pagesOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

/** The phase of a write may change how a store keeps events, and when the list shows them; reads are the same. */
export const phases: readonly Behaviour[] = [
  {
    name: 'reads all of a streaming text and the current seq, whatever the list shows meanwhile',
    async check(store) {
      await addSession(store, 'a', 2);
      await store.write(writeOf('a', 2, [textAt(3)], { phase: 'streaming' }));
      await store.write(writeOf('a', 3, [textAt(5)], { phase: 'streaming' }));
      const stored = await store.read('a');
      same([stored?.summary.seq, stored?.events], [5, [...textsAt(1, 3), textAt(5)]], 'read');
      same(await pagesOf(store), [['a']], 'list');
    },
  },
  {
    name: 'refuses a late write while a text streams, also a late write of streaming text',
    async check(store) {
      await addSession(store, 'a', 2);
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
    name: 'lists the summary of the next write that does not stream',
    async check(store) {
      await addSession(store, 'a', 2);
      await addSession(store, 'b', 1, { updatedAt: 2000 });
      await store.write(writeOf('a', 2, [textAt(3)], { phase: 'streaming' }));
      const summary = summaryOf('a', 4, { updatedAt: 3000, title: 'later' });
      await store.write(writeOf('a', 3, [textAt(4)], { summary }));
      same((await store.list()).sessions, [summary, summaryOf('b', 1, { updatedAt: 2000 })], 'list');
    },
  },
  {
    name: 'refuses a late write to a session that was removed while a text streamed',
    async check(store) {
      await addSession(store, 'a', 2);
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
    name: 'reads settled events in order, and after any seq',
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
    name: 'settles the events of ranges around an event that is not replaced',
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
    name: 'keeps attachments of settled events',
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
      await addSession(store, 'a', 4);
      const write = writeOf('a', 3, [...textsAt(1, 3), textAt(5)], { phase: 'settled', replaces: [[1, 3]] });
      await refused(store.write(write), 'STORAGE_CONFLICT', 'write');
      same(await seqsOf(store, 'a'), [1, 2, 3, 4], 'seqs');
    },
  },
];
