import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { keysAfter, piecesAfter } from '../../../src/storage/indexeddb/keys.ts';

/** Around the ends of the pieces, and far beyond them. */
const seqs = [0, 1, 4_095, 4_096, 4_097, 8_192, 8_193, 24_577, 65_536, 65_537, 1_000_000];

test.each([-Infinity, ...seqs, Infinity])('the pieces after %d contain each key after it once, in order', (after) => {
  const pieces = piecesAfter('s', after);
  for (const seq of seqs) {
    const isAfter = keysAfter('s', after).includes(['s', seq]);
    expect(pieces.filter((piece) => piece.includes(['s', seq]))).toHaveLength(isAfter ? 1 : 0);
  }
  const found = pieces.flatMap((piece) => seqs.filter((seq) => piece.includes(['s', seq])));
  expect(found).toEqual(seqs.filter((seq) => seq > after));
  expect(pieces.some((piece) => piece.includes(['r', 5_000]) || piece.includes(['t', 5_000]))).toBe(false);
});

test('the keys of attachments belong to the event before', () => {
  const pieces = piecesAfter('s', 4_096);
  expect(pieces.some((piece) => piece.includes(['s', 4_096, 0]))).toBe(false);
  expect(pieces.filter((piece) => piece.includes(['s', 8_192, 0]))).toHaveLength(1);
});
