import type { Behaviour } from './behaviour.ts';
import { refused, same } from './expect.ts';
import { addSession, summaryOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

export const replacing: readonly Behaviour[] = [
  {
    name: 'replaces a range of events, both ends included',
    async check(store) {
      await addSession(store, 'a', 6);
      await store.write(writeOf('a', 6, [textAt(5, 'whole')], { replaces: [[2, 5]], summary: summaryOf('a', 6) }));
      same((await store.read('a'))?.events, [textAt(1), textAt(5, 'whole'), textAt(6)], 'events');
    },
  },
  {
    name: 'replaces several ranges and appends in one write',
    async check(store) {
      await addSession(store, 'a', 10);
      const events = [{ ...textAt(3, 'x'), since: 1 }, { ...textAt(8, 'y'), since: 6 }, textAt(11), textAt(12)];
      await store.write(
        writeOf('a', 10, events, {
          replaces: [
            [1, 3],
            [6, 8],
          ],
        }),
      );
      const expected = [
        { ...textAt(3, 'x'), since: 1 },
        textAt(4),
        textAt(5),
        { ...textAt(8, 'y'), since: 6 },
        textAt(9),
        textAt(10),
        textAt(11),
        textAt(12),
      ];
      same(await store.read('a'), { summary: summaryOf('a', 12), events: expected }, 'read');
    },
  },
  {
    name: 'removes a range that is replaced by nothing',
    async check(store) {
      await addSession(store, 'a', 5);
      await store.write(writeOf('a', 5, [], { replaces: [[2, 4]] }));
      same(await seqsOf(store, 'a'), [1, 5], 'seqs');
    },
  },
  {
    name: 'accepts a range without events',
    async check(store) {
      await store.write(writeOf('a', 0, [textAt(1), textAt(9)]));
      await store.write(writeOf('a', 9, [textAt(10)], { replaces: [[3, 5]] }));
      same(await seqsOf(store, 'a'), [1, 9, 10], 'seqs');
    },
  },
  {
    name: 'replaces nothing in another session',
    async check(store) {
      await Promise.all([addSession(store, 'a', 5), addSession(store, 'b', 5), addSession(store, 'aa', 5)]);
      await store.write(writeOf('a', 5, [], { replaces: [[1, 5]] }));
      same(
        [await seqsOf(store, 'b'), await seqsOf(store, 'aa')],
        [
          [1, 2, 3, 4, 5],
          [1, 2, 3, 4, 5],
        ],
        'the others',
      );
    },
  },
  {
    name: 'removes nothing when a write is refused',
    async check(store) {
      await addSession(store, 'a', 5);
      const write = writeOf('a', 4, [textAt(4, 'whole'), textAt(6)], { replaces: [[1, 4]] });
      await refused(store.write(write), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: summaryOf('a', 5), events: textsAt(1, 5) }, 'what is stored');
    },
  },
  {
    name: 'refuses a late rival that ends at the same seq and would replace the events of the winner',
    async check(store) {
      await addSession(store, 'a', 2);
      await store.write(writeOf('a', 2, [textAt(3, 'winner')]));
      const rival = writeOf('a', 2, [textAt(3, 'rival')], { replaces: [[1, 3]] });
      await refused(store.write(rival), 'STORAGE_CONFLICT', 'write');
      same((await store.read('a'))?.events, [textAt(1), textAt(2), textAt(3, 'winner')], 'events');
    },
  },
  {
    name: 'reads the events after a seq within a replaced range',
    async check(store) {
      await addSession(store, 'a', 6);
      await store.write(writeOf('a', 6, [textAt(5, 'whole')], { replaces: [[2, 5]], summary: summaryOf('a', 6) }));
      same([await seqsOf(store, 'a', 3), await seqsOf(store, 'a', 5)], [[5, 6], [6]], 'after');
    },
  },
];
