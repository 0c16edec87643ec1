import type { CodecBytes } from '../../storage/codec.ts';
import type { AesKeys } from './aes-keys.ts';

// Bytes of a row: version, id of the key (8), then of its segment the length (4, big endian), the initialization vector (12), the ciphertext
// and the tag (16). A row has one segment. Earlier versions of this package divided long rows into several ones, which are decrypted.

const version = 2;
/** Rows of this version are decrypted, and not written any more. */
const firstVersion = 1;
const headLength = 9;
const segmentHead = 16;

/** Whether the bytes begin as those of a row of a known version that was encrypted with these keys. */
export function isOwnRow({ keyId }: AesKeys, bytes: CodecBytes): boolean {
  return (bytes[0] === version || bytes[0] === firstVersion) && keyId.every((byte, index) => byte === bytes[1 + index]);
}

/** Begins the encryption within the call. */
export async function encryptRow({ cipher, keyId }: AesKeys, bytes: CodecBytes, context: string): Promise<CodecBytes> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = toData({ version, context, first: iv }, 0, 1);
  const data = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, cipher, bytes));
  const row = new Uint8Array(headLength + segmentHead + data.length);
  row[0] = version;
  row.set(keyId, 1);
  new DataView(row.buffer).setUint32(headLength, data.length);
  row.set(iv, headLength + 4);
  row.set(data, headLength + segmentHead);
  return row;
}

/** Resolves with `undefined` where the bytes are damaged, or were encrypted for another context. */
export async function decryptRow(
  { cipher }: AesKeys,
  bytes: CodecBytes,
  context: string,
): Promise<CodecBytes | undefined> {
  const segments = segmentsIn(bytes);
  const place = { version: bytes[0] ?? 0, context, first: segments[0]?.iv };
  try {
    const plain = await Promise.all(
      segments.map(({ iv, data }, index) => {
        const additionalData = toData(place, index, segments.length);
        return crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, cipher, data);
      }),
    );
    return plain.length === 0 ? undefined : concatenated(plain.map((part) => new Uint8Array(part)));
  } catch {
    return undefined;
  }
}

/** What all segments of a row have in common. */
interface RowPlace {
  readonly version: number;
  readonly context: string;
  /** The initialization vector of the first segment, which no other row has: segments of two rows of one place cannot be mixed. */
  readonly first: CodecBytes | undefined;
}

/** Bytes that WebCrypto calls the additional data: the place of a segment. */
function toData({ version: of, context, first }: RowPlace, index: number, count: number): CodecBytes {
  const place = `${context} ${index}/${count}`;
  return new TextEncoder().encode(of === firstVersion ? place : `${of} ${first?.join() ?? ''} ${place}`);
}

interface Segment {
  readonly iv: CodecBytes;
  /** Ciphertext and tag. */
  readonly data: CodecBytes;
}

/** Returns no segment for bytes that do not end with a segment. */
function segmentsIn(bytes: CodecBytes): readonly Segment[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments: Segment[] = [];
  let from = headLength;
  while (from + segmentHead <= bytes.length) {
    const begin = from + segmentHead;
    const end = begin + view.getUint32(from);
    segments.push({ iv: bytes.subarray(from + 4, begin), data: bytes.subarray(begin, end) });
    from = end;
  }
  return from === bytes.length ? segments : [];
}

function concatenated(parts: readonly CodecBytes[]): CodecBytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of parts) {
    all.set(part, from);
    from += part.length;
  }
  return all;
}
