import type { Behaviour } from './behaviour.ts';
import { outcomeOf, refused, same } from './expect.ts';
import { begin, headOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

export const writing: readonly Behaviour[] = [
  {
    name: 'puts the row of each write in the place of the one before',
    async check(store) {
      await begin(store, 'a', 2);
      const summary = headOf('a', 4, { title: 'New', status: 'running', updatedAt: 5 });
      await store.write(writeOf('a', 2, textsAt(3, 4), { summary }));
      same((await store.read('a'))?.summary, summary, 'row');
      same((await store.list()).sessions, [summary], 'list');
    },
  },
  {
    name: 'takes a write without events: only the row changes',
    async check(store) {
      await begin(store, 'a', 2);
      const summary = headOf('a', 2, { title: 'New' });
      await store.write(writeOf('a', 2, [], { summary }));
      same(await store.read('a'), { summary: summary, events: textsAt(1, 2) }, 'read');
    },
  },
  {
    name: 'takes gaps in seq',
    async check(store) {
      await store.write(writeOf('a', 0, [textAt(4), textAt(9)]));
      await store.write(writeOf('a', 9, [textAt(30)]));
      same(await seqsOf(store, 'a'), [4, 9, 30], 'seqs');
    },
  },
  {
    name: 'takes strict writes like relaxed ones',
    async check(store) {
      await store.write(writeOf('a', 0, textsAt(1, 2), { durability: 'strict' }));
      await store.write(writeOf('a', 2, textsAt(3, 3)));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
    },
  },
  {
    name: 'takes 200 small writes one after another',
    async check(store) {
      for (let seq = 1; seq <= 200; seq++) await store.write(writeOf('a', seq - 1, [textAt(seq)]));
      same((await store.read('a'))?.events, textsAt(1, 200), 'events');
    },
  },
  {
    name: 'takes a write that builds on one still under way, as a page does that is about to vanish',
    async check(store) {
      await begin(store, 'a', 1);
      await Promise.all([1, 2, 3, 4].map((seq) => store.write(writeOf('a', seq, [textAt(seq + 1)]))));
      same(await seqsOf(store, 'a'), [1, 2, 3, 4, 5], 'seqs');
    },
  },
  {
    name: 'writes to two sessions at once',
    async check(store) {
      await Promise.all([begin(store, 'a', 50), begin(store, 'b', 60)]);
      await Promise.all([store.write(writeOf('a', 50, [textAt(51)])), store.write(writeOf('b', 60, [textAt(61)]))]);
      same([(await seqsOf(store, 'a'))?.length, (await seqsOf(store, 'b'))?.length], [51, 61], 'events');
    },
  },
  {
    name: 'refuses a write that expects less than is stored',
    async check(store) {
      await begin(store, 'a', 5);
      await refused(store.write(writeOf('a', 3, textsAt(6, 7))), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: headOf('a', 5), events: textsAt(1, 5) }, 'what is stored');
    },
  },
  {
    name: 'refuses a write that expects more than is stored',
    async check(store) {
      await begin(store, 'a', 5);
      await refused(store.write(writeOf('a', 6, [textAt(7)])), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: headOf('a', 5), events: textsAt(1, 5) }, 'what is stored');
    },
  },
  {
    name: 'refuses a new session under an id that is taken',
    async check(store) {
      await begin(store, 'a', 2);
      await refused(store.write(writeOf('a', 0, textsAt(3, 9))), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: headOf('a', 2), events: textsAt(1, 2) }, 'what is stored');
    },
  },
  {
    name: 'refuses to go on with a session that never was',
    async check(store) {
      await refused(store.write(writeOf('a', 5, [textAt(6)])), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), undefined, 'read');
      same((await store.list()).sessions, [], 'list');
    },
  },
  {
    name: 'lets exactly one of several conflicting writes win, whole',
    async check(store) {
      await begin(store, 'a', 1);
      const rivals = [2, 3, 4, 5].map((count) => writeOf('a', 1, textsAt(2, 1 + count), { durability: 'relaxed' }));
      const outcomes = await Promise.all(rivals.map((write) => outcomeOf(store.write(write))));
      same(outcomes.filter((thrown) => thrown === undefined).length, 1, 'winners');
      const winner = rivals[outcomes.indexOf(undefined)];
      same(
        await store.read('a'),
        { summary: winner?.summary, events: [textAt(1), ...(winner?.events ?? [])] },
        'what is stored',
      );
    },
  },
  {
    name: 'takes the right write after a refused one',
    async check(store) {
      await begin(store, 'a', 2);
      await refused(store.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'write');
      await store.write(writeOf('a', 2, [textAt(3)]));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
    },
  },
];
