import { expect, test } from 'vitest';
import { loadCoder } from '../../src/sync/nats/coder.ts';
import type { Head } from '../../src/sync/nats/head.ts';
import { createRows } from '../../src/sync/nats/rows.ts';
import { writeAt } from './support/writes.ts';

/** The head of the nth message of a session. */
function headAt(nth: number, more: Partial<Head> = {}): Head {
  const { summary } = writeAt('a', nth - 1);
  const { seq, updatedAt } = summary;
  return {
    seq,
    nth,
    after: seq - 1,
    row: { ...summary, title: `Title ${nth}` },
    updatedAt,
    size: 0,
    folded: 0,
    ...more,
  };
}

const titlesIn = async (rows: ReturnType<typeof createRows>): Promise<readonly string[]> =>
  (await rows.page(await loadCoder(undefined)(), {})).sessions.map(({ title }) => title);

test('a write of this page and the messages of other pages are kept in the order of the log', async () => {
  const rows = createRows();
  expect(rows.apply('a', headAt(2))).toBe(true);
  // Delivered after the own write, which came later.
  expect(rows.apply('a', headAt(1))).toBe(false);
  expect(await titlesIn(rows)).toEqual(['Title 2']);
  // The own write, delivered.
  expect(rows.apply('a', headAt(2))).toBe(false);
  expect(rows.apply('a', headAt(3))).toBe(true);
  expect(await titlesIn(rows)).toEqual(['Title 3']);
});

test('a compaction is no news, and what follows is', () => {
  const rows = createRows();
  rows.apply('a', headAt(1));
  expect(rows.apply('a', headAt(2, { isCompaction: true }))).toBe(false);
  expect(rows.apply('a', headAt(2))).toBe(false);
  expect(rows.apply('a', headAt(3))).toBe(true);
});
