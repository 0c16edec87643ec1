import type { Behaviour } from './behaviour.ts';
import { outcomeOf, refused, same } from './expect.ts';
import { summaryOf, seqsOf, textAt, textsAt, writeOf } from './sample.ts';
import type { SessionStore, SessionWrite } from '../../core/model/store.ts';

/** A write with an id that expects the write with another id. */
function named(expectedSeq: number, seq: number, writeId: string, expectedWriteId?: string): SessionWrite {
  const ids = { writeId, ...(expectedWriteId !== undefined && { expectedWriteId }) };
  return writeOf('a', expectedSeq, textsAt(expectedSeq + 1, seq), ids);
}

async function lastWriteOf(store: SessionStore): Promise<string | undefined> {
  return (await store.read('a', { after: Infinity }))?.writeId;
}

export const identifying: readonly Behaviour[] = [
  {
    name: 'returns the id of the last write, and none where the last write had none',
    async check(store) {
      await store.write(named(0, 2, 'log/1'));
      same(await store.read('a'), { summary: summaryOf('a', 2), events: textsAt(1, 2), writeId: 'log/1' }, 'read');
      await store.write(named(2, 3, 'log/2', 'log/1'));
      same(await lastWriteOf(store), 'log/2', 'the last write');
      await store.write(writeOf('a', 3, [textAt(4)]));
      same(await lastWriteOf(store), undefined, 'a write without an id');
    },
  },
  {
    name: 'refuses a write that expects another write at the same seq',
    async check(store) {
      await store.write(named(0, 2, 'log/1'));
      await refused(store.write(named(2, 3, 'log/3', 'log/0')), 'STORAGE_CONFLICT', 'write');
      same([await seqsOf(store, 'a'), await lastWriteOf(store)], [[1, 2], 'log/1'], 'stored');
      await store.write(named(2, 3, 'log/3', 'log/1'));
      same([await seqsOf(store, 'a'), await lastWriteOf(store)], [[1, 2, 3], 'log/3'], 'stored then');
    },
  },
  {
    name: 'refuses a write that expects a write where the last one had no id',
    async check(store) {
      await store.write(writeOf('a', 0, textsAt(1, 2)));
      await refused(store.write(named(2, 3, 'log/2', 'log/1')), 'STORAGE_CONFLICT', 'write');
      same(await seqsOf(store, 'a'), [1, 2], 'seqs');
    },
  },
  {
    name: 'accepts a write that expects no write, by its seq alone',
    async check(store) {
      await store.write(named(0, 2, 'log/1'));
      await store.write(named(2, 3, 'log/2'));
      await refused(store.write(named(2, 3, 'log/3')), 'STORAGE_CONFLICT', 'write');
      same([await seqsOf(store, 'a'), await lastWriteOf(store)], [[1, 2, 3], 'log/2'], 'stored');
    },
  },
  {
    name: 'refuses a write that builds on a refused one, also where another write has stored the same seq',
    async check(store) {
      await store.write(named(0, 1, 'log/1'));
      await store.write(named(1, 2, 'rival/1', 'log/1'));
      const writes = [named(1, 2, 'log/2', 'log/1'), named(2, 3, 'log/3', 'log/2')];
      const outcomes = await Promise.all(writes.map((write) => outcomeOf(store.write(write))));
      same(
        outcomes.map((thrown) => thrown !== undefined),
        [true, true],
        'refused',
      );
      same([await seqsOf(store, 'a'), await lastWriteOf(store)], [[1, 2], 'rival/1'], 'stored');
    },
  },
  {
    name: 'stores a write once that is repeated because its answer was lost',
    async check(store) {
      await store.write(named(0, 1, 'log/1'));
      await store.write(named(1, 3, 'log/2', 'log/1'));
      const again = await outcomeOf(store.write(named(1, 3, 'log/2', 'log/1')));
      if (again !== undefined) await refused(Promise.reject(again), 'STORAGE_CONFLICT', 'the repetition');
      same([await seqsOf(store, 'a'), await lastWriteOf(store)], [[1, 2, 3], 'log/2'], 'stored');
      await store.write(named(3, 4, 'log/3', 'log/2'));
      await refused(store.write(named(1, 3, 'log/2', 'log/1')), 'STORAGE_CONFLICT', 'an older write');
      same(await seqsOf(store, 'a'), [1, 2, 3, 4], 'seqs');
    },
  },
  {
    name: 'knows the last write of an earlier store of its name',
    needs: 'persistence',
    async check(store, open) {
      await store.write(named(0, 2, 'log/1'));
      store.close();
      const later = await open();
      same(await lastWriteOf(later), 'log/1', 'the last write');
      await refused(later.write(named(2, 3, 'log/2', 'log/0')), 'STORAGE_CONFLICT', 'write');
      await later.write(named(2, 3, 'log/2', 'log/1'));
      same(await seqsOf(later, 'a'), [1, 2, 3], 'seqs');
    },
  },
  {
    name: 'knows the last write of a session that is restored',
    needs: 'restoring',
    async check(store) {
      await store.write(named(0, 2, 'log/1'));
      await store.remove('a');
      await store.restore?.('a');
      same([await seqsOf(store, 'a'), await lastWriteOf(store)], [[1, 2], 'log/1'], 'stored');
      await store.write(named(2, 3, 'log/2', 'log/1'));
    },
  },
];
