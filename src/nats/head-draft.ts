import type { SessionSummary } from '../core/model/store.ts';
import type { Coder } from './coder.ts';
import type { Head } from './head.ts';

/** A head before its message has a place. */
export type HeadDraft = Omit<Head, 'nth'>;

/** Returns a head without what it states of its own message. */
export function plainHead(head: Head): Head {
  const { isWhole: _whole, isRemoved: _removed, isCompaction: _compaction, parts: _parts, ...plain } = head;
  return plain;
}

/** Returns the fields of a head that depend on the row of the list. */
export async function toRow(
  coder: Coder,
  summary: SessionSummary,
): Promise<Pick<Head, 'row' | 'updatedAt' | 'codec' | 'seq'>> {
  const { id, seq, updatedAt } = summary;
  const { codec } = coder;
  const row = codec === undefined ? summary : toBase64(await coder.encode(summary, ['row', id, seq]));
  return { row, updatedAt, codec, seq };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
