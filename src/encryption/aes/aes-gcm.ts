import type { CodecBytes } from '../../storage/codec.ts';
import type { AesKeys } from './aes-keys.ts';
import type { Pad } from './pads.ts';

// A row is encrypted in segments, each with an initialization vector of its own: WebCrypto encrypts a row as one segment; without
// waiting, a segment is as long as the key stream that was made in advance.
//
// Bytes of a row: version, id of the key (8), then of each segment its length (4, big endian), its initialization vector (12), its
// ciphertext and its tag (16). From version 2 on, each segment is bound to the initialization vector of the first one, which no other row has:
// segments of two rows of one place cannot be mixed.

const version = 2;
/** Rows of this version are decrypted, and not written any more. */
const firstVersion = 1;
const headLength = 9;
const segmentHead = 16;
const tagLength = 16;

/** Whether the bytes begin as those of a row of a known version that was encrypted with these keys. */
export function isOwnRow({ keyId }: AesKeys, bytes: CodecBytes): boolean {
  return (bytes[0] === version || bytes[0] === firstVersion) && keyId.every((byte, index) => byte === bytes[1 + index]);
}

export async function encryptRow(keys: AesKeys, bytes: CodecBytes, context: string): Promise<CodecBytes> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const parameters = { name: 'AES-GCM', iv, additionalData: toData({ version, context, first: iv }, 0, 1) };
  const data = new Uint8Array(await crypto.subtle.encrypt(parameters, keys.cipher, bytes));
  const row = createRow(keys, [bytes.length]);
  putSegmentHead(row, headLength, iv, bytes.length);
  row.set(data, headLength + segmentHead);
  return row;
}

/** Encrypts within the call. Returns `undefined` where not enough key stream is left. */
export function encryptRowNow(keys: AesKeys, bytes: CodecBytes, context: string): CodecBytes | undefined {
  const parts: { readonly pad: Pad; readonly plain: CodecBytes }[] = [];
  for (let from = 0; from < bytes.length || from === 0;) {
    const pad = keys.pads.take(bytes.length - from);
    if (pad === undefined) return undefined;
    parts.push({ pad, plain: bytes.subarray(from, from + pad.stream.length) });
    from += pad.stream.length;
  }
  const lengths = parts.map(({ plain }) => plain.length);
  const row = createRow(keys, lengths);
  const place = { version, context, first: parts[0]?.pad.iv };
  let from = headLength;
  for (const [index, { pad, plain }] of parts.entries()) {
    const { length } = plain;
    putSegmentHead(row, from, pad.iv, length);
    const data = row.subarray(from + segmentHead, from + segmentHead + length + tagLength);
    encryptInto(data, plain, pad);
    const sum = keys.ghash.hash(toData(place, index, parts.length), data.subarray(0, length));
    for (let at = 0; at < tagLength; at++) data[length + at] = (sum[at] ?? 0) ^ (pad.mask[at] ?? 0);
    from += segmentHead + length + tagLength;
  }
  return row;
}

/** Returns the bytes of a row with these lengths of plain segments, of which the header is filled in. */
function createRow({ keyId }: AesKeys, lengths: readonly number[]): CodecBytes {
  const size = lengths.reduce((sum, length) => sum + segmentHead + length + tagLength, headLength);
  const row = new Uint8Array(size);
  row[0] = version;
  row.set(keyId, 1);
  return row;
}

function putSegmentHead(row: CodecBytes, from: number, iv: CodecBytes, length: number): void {
  new DataView(row.buffer).setUint32(from, length + tagLength);
  row.set(iv, from + 4);
}

function encryptInto(data: CodecBytes, plain: CodecBytes, { stream }: Pad): void {
  for (let index = 0; index < plain.length; index++) data[index] = (plain[index] ?? 0) ^ (stream[index] ?? 0);
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
  /** The initialization vector of the first segment. */
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

function segmentsIn(bytes: CodecBytes): readonly Segment[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments: Segment[] = [];
  for (let from = headLength; from + segmentHead <= bytes.length;) {
    const begin = from + segmentHead;
    const end = begin + view.getUint32(from);
    segments.push({ iv: bytes.subarray(from + 4, begin), data: bytes.subarray(begin, end) });
    from = end;
  }
  return segments;
}

function concatenated(parts: readonly CodecBytes[]): CodecBytes {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of parts) {
    all.set(part, from);
    from += part.length;
  }
  return all;
}
