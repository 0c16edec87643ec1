import type { Coder } from './coder.ts';
import { type Head, placeOfRow } from './head.ts';

/** A head before its message has a place. Its row is not encrypted. */
export type HeadDraft = Omit<Head, 'nth' | 'codec' | 'form'>;

/** Returns a head without what it states of its own message. */
export function plainHead(head: Head): Head {
  const { isWhole: _whole, isRemoved: _removed, isCompaction: _compaction, parts: _parts, ...plain } = head;
  return plain;
}

/** Returns a head as it is stored: with a codec its row is encrypted, and bound to the other fields. */
export async function sealHead(coder: Coder, sessionId: string, head: Head): Promise<Head> {
  const { codec: _codec, form: _form, ...plain } = head;
  const { codec } = coder;
  if (codec === undefined) return plain;
  const bound: Head = { ...plain, codec, form: 2 };
  return { ...bound, row: toBase64(await coder.encode(head.row, placeOfRow(sessionId, bound))) };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
