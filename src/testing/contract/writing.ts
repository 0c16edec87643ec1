import type { Behaviour } from './behaviour.ts';
import { outcomeOf, refused, same } from './expect.ts';
import { addSession, messageAt, summaryOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

export const writing: readonly Behaviour[] = [
  {
    name: 'replaces the summary with each write',
    async check(store) {
      await addSession(store, 'a', 2);
      const summary = summaryOf('a', 4, { title: 'New', status: 'running', updatedAt: 5 });
      await store.write(writeOf('a', 2, textsAt(3, 4), { summary }));
      same((await store.read('a'))?.summary, summary, 'row');
      same((await store.list()).sessions, [summary], 'list');
    },
  },
  {
    name: 'accepts a write without events, which changes the summary only',
    async check(store) {
      await addSession(store, 'a', 2);
      const summary = summaryOf('a', 2, { title: 'New' });
      await store.write(writeOf('a', 2, [], { summary }));
      same(await store.read('a'), { summary: summary, events: textsAt(1, 2) }, 'read');
    },
  },
  {
    name: 'accepts gaps in seq',
    async check(store) {
      await store.write(writeOf('a', 0, [textAt(4), textAt(9)]));
      await store.write(writeOf('a', 9, [textAt(30)]));
      same(await seqsOf(store, 'a'), [4, 9, 30], 'seqs');
    },
  },
  {
    name: 'accepts strict writes like relaxed ones',
    async check(store) {
      await store.write(writeOf('a', 0, textsAt(1, 2), { durability: 'strict' }));
      await store.write(writeOf('a', 2, textsAt(3, 3)));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
    },
  },
  {
    name: 'stores 200 small writes one after another',
    async check(store) {
      for (let seq = 1; seq <= 200; seq++) await store.write(writeOf('a', seq - 1, [textAt(seq)]));
      same((await store.read('a'))?.events, textsAt(1, 200), 'events');
    },
  },
  {
    name: 'accepts a write that builds on a pending one, as from a page that is being unloaded',
    async check(store) {
      await addSession(store, 'a', 1);
      await Promise.all([1, 2, 3, 4].map((seq) => store.write(writeOf('a', seq, [textAt(seq + 1)]))));
      same(await seqsOf(store, 'a'), [1, 2, 3, 4, 5], 'seqs');
    },
  },
  {
    name: 'answers the writes to one session in their order, also where a later one is refused',
    async check(store) {
      await addSession(store, 'a', 1);
      const writes = [
        writeOf('a', 1, textsAt(2, 2_000)),
        writeOf('a', 7, [textAt(8)]),
        writeOf('a', 2_000, [textAt(2_001)]),
      ];
      const answers: string[] = [];
      await Promise.all(
        writes.map(async (write, index) => {
          const thrown = await outcomeOf(store.write(write));
          answers.push(`${index}: ${thrown === undefined ? 'stored' : 'refused'}`);
        }),
      );
      same(answers, ['0: stored', '1: refused', '2: stored'], 'answers');
    },
  },
  {
    name: 'stores concurrent writes to two sessions',
    async check(store) {
      await Promise.all([addSession(store, 'a', 50), addSession(store, 'b', 60)]);
      await Promise.all([store.write(writeOf('a', 50, [textAt(51)])), store.write(writeOf('b', 60, [textAt(61)]))]);
      same([(await seqsOf(store, 'a'))?.length, (await seqsOf(store, 'b'))?.length], [51, 61], 'events');
    },
  },
  {
    name: 'refuses a write that expects less than is stored',
    async check(store) {
      await addSession(store, 'a', 5);
      await refused(store.write(writeOf('a', 3, textsAt(6, 7))), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: summaryOf('a', 5), events: textsAt(1, 5) }, 'what is stored');
    },
  },
  {
    name: 'refuses a write that expects more than is stored',
    async check(store) {
      await addSession(store, 'a', 5);
      await refused(store.write(writeOf('a', 6, [textAt(7)])), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: summaryOf('a', 5), events: textsAt(1, 5) }, 'what is stored');
    },
  },
  {
    name: 'refuses a new session under an id that is in use',
    async check(store) {
      await addSession(store, 'a', 2);
      await refused(store.write(writeOf('a', 0, textsAt(3, 9))), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), { summary: summaryOf('a', 2), events: textsAt(1, 2) }, 'what is stored');
    },
  },
  {
    name: 'refuses a write to a missing session',
    async check(store) {
      await refused(store.write(writeOf('a', 5, [textAt(6)])), 'STORAGE_CONFLICT', 'write');
      same(await store.read('a'), undefined, 'read');
      same((await store.list()).sessions, [], 'list');
    },
  },
  {
    name: 'stores exactly one of several conflicting writes, and all of it',
    async check(store) {
      await addSession(store, 'a', 1);
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
    name: 'rejects a write that no try can store with STORAGE_REJECTED, changes nothing, and stores the next one',
    async check(store) {
      await addSession(store, 'a', 2);
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      for (const value of [() => 1, 1n, cycle, Symbol('x')]) {
        const write = writeOf('a', 2, [textAt(3), Object.assign(messageAt(4), { value })]);
        await refused(store.write(write), 'STORAGE_REJECTED', typeof value);
        same(await store.read('a'), { summary: summaryOf('a', 2), events: textsAt(1, 2) }, 'what is stored');
      }
      await store.write(writeOf('a', 2, [textAt(3)]));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
    },
  },
  {
    name: 'accepts a write with the right seq after a refused one',
    async check(store) {
      await addSession(store, 'a', 2);
      await refused(store.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'write');
      await store.write(writeOf('a', 2, [textAt(3)]));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'seqs');
    },
  },
];
