import type { Behaviour } from './behaviour.ts';
import { outcomeOf, refused, same, notified } from './expect.ts';
import { addSession, summaryOf, pagesOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';

export const sharing: readonly Behaviour[] = [
  {
    name: 'reads the sessions of an earlier store of its name',
    needs: 'persistence',
    async check(store, open) {
      await addSession(store, 'a', 5);
      await addSession(store, 'gone', 5);
      await store.remove('gone');
      store.close();
      const later = await open();
      same(await later.read('a'), { summary: summaryOf('a', 5), events: textsAt(1, 5) }, 'read');
      same([await later.read('gone'), await pagesOf(later)], [undefined, [['a']]], 'removed');
    },
  },
  {
    name: 'reads a write that was pending when the earlier store was closed, if it was acknowledged',
    needs: 'persistence',
    async check(store, open) {
      await addSession(store, 'a', 1);
      const write = outcomeOf(store.write(writeOf('a', 1, [textAt(2)])));
      store.close();
      const thrown = await write;
      same(await seqsOf(await open(), 'a'), thrown === undefined ? [1, 2] : [1], 'stored');
    },
  },
  {
    name: 'continues the sessions of an earlier store',
    needs: 'persistence',
    async check(store, open) {
      await addSession(store, 'a', 2);
      store.close();
      const later = await open();
      await refused(later.write(writeOf('a', 1, [textAt(3)])), 'STORAGE_CONFLICT', 'stale write');
      await later.write(writeOf('a', 2, [textAt(3)]));
      await refused(later.write(writeOf('b', 2, [textAt(3)])), 'STORAGE_CONFLICT', 'write to nothing');
      same([await seqsOf(later, 'a'), await later.read('b')], [[1, 2, 3], undefined], 'stored');
    },
  },
  {
    name: 'sees the writes and removals of another store at once',
    needs: 'sharing',
    async check(store, open) {
      const other = await open();
      await addSession(store, 'a', 2);
      same(await seqsOf(other, 'a'), [1, 2], 'read by the other');
      await other.write(writeOf('a', 2, [textAt(3)]));
      same(await seqsOf(store, 'a'), [1, 2, 3], 'read by the first');
      same([await other.remove('a'), await store.read('a')], [true, undefined], 'removed by the other');
    },
  },
  {
    name: 'lets one of two conflicting stores win',
    needs: 'sharing',
    async check(store, open) {
      const other = await open();
      await addSession(store, 'a', 2);
      await other.read('a');
      const writes = [store.write(writeOf('a', 2, [textAt(3, 'x')])), other.write(writeOf('a', 2, [textAt(3, 'y')]))];
      const outcomes = await Promise.all(writes.map(outcomeOf));
      same(outcomes.filter((thrown) => thrown === undefined).length, 1, 'winners');
      same((await store.read('a'))?.events.at(-1), textAt(3, outcomes[0] === undefined ? 'x' : 'y'), 'stored');
    },
  },
  {
    name: 'refuses a write to a session that another store removed',
    needs: 'sharing',
    async check(store, open) {
      const other = await open();
      await addSession(store, 'a', 2);
      await other.remove('a');
      await refused(store.write(writeOf('a', 2, [textAt(3)])), 'STORAGE_CONFLICT', 'write');
      same([await store.read('a'), await pagesOf(other)], [undefined, [[]]], 'stored');
    },
  },
  {
    name: 'lets two stores take turns',
    needs: 'sharing',
    async check(store, open) {
      const other = await open();
      await addSession(store, 'a', 1);
      for (let seq = 2; seq <= 20; seq++) await (seq % 2 ? store : other).write(writeOf('a', seq - 1, [textAt(seq)]));
      same((await store.read('a'))?.events, textsAt(1, 20), 'events');
    },
  },
  {
    name: 'reads the meta entries of an earlier store of its name',
    needs: 'persistence',
    async check(store, open) {
      if (store.meta === undefined) return;
      await store.meta.update('n', () => ({ kept: true }));
      store.close();
      same(await (await open()).meta?.get('n'), { kept: true }, 'entry');
    },
  },
  {
    name: 'loses none of the concurrent updates of two stores to a meta entry',
    needs: 'sharing',
    async check(store, open) {
      const other = await open();
      const metas = [store, other].flatMap(({ meta }) => meta ?? []);
      const updates = Array.from({ length: 5 }, () =>
        metas.map((meta) => meta.update('n', (value = 0) => Number(value) + 1)),
      );
      await Promise.all(updates.flat());
      for (const meta of metas) same(await meta.get('n'), 10, 'sum');
    },
  },
  {
    name: 'emits the writes and removals of another store',
    needs: 'announcing',
    async check(store, open) {
      const other = await open();
      const written = notified(other, 'a');
      await addSession(store, 'a', 1);
      await written;
      const removed = notified(other, 'a');
      await store.remove('a');
      await removed;
    },
  },
];
