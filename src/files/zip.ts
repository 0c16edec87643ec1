// ZIP: APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end). The directory states what an
// archive contains: any file is read without those before it. The browser decompresses (`DecompressionStream`), as the parts are read: an
// archive may be larger than the memory.

/** Why an archive cannot be read. `too-large`: it is larger than 4 GB (ZIP64). `too-many`: it has more entries than are allowed. */
export type ZipFlaw = 'damaged' | 'encrypted' | 'too-large' | 'too-many';

/** The error of an archive that cannot be read. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
  readonly flaw: ZipFlaw;

  constructor(flaw: ZipFlaw) {
    super(`The archive is ${flaw}.`);
    this.flaw = flaw;
  }
}

/** Where the bytes of an archive are. */
export interface ZipSource {
  readonly size: number;
  /** Resolves with the bytes from `start` to `end`, fewer at the end of the archive. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** A file of an archive, as the directory states it. */
export interface ZipEntry {
  /** With `/` between folders, and at the end of a folder's name. Not checked. */
  readonly name: string;
  /** Bytes, decompressed: the archive's claim, which reading checks. */
  readonly size: number;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Where the local header begins. */
  readonly start: number;
}

/** Bytes that a stream takes, in a form that TypeScript before 5.7 knows, too. */
type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** Longest end of an archive, with its comment. */
const maxEnd = 65_557;
const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const headerMark = 0x04034b50;

/** Bytes that are read at once. */
const readSize = 262_144;
/** Compressed bytes that are decompressed at once: deflate makes at most 1,032 of each, so that a reader can stop after 8 MB. */
const step = 8_192;

/** Whether bytes begin as an archive does, an empty one included. */
export function isZip([p, k, three, four]: Uint8Array): boolean {
  return p === 0x50 && k === 0x4b && ((three === 3 && four === 4) || (three === 5 && four === 6));
}

/**
 * Lists the files of an archive, in the order of its directory. Bytes before the archive are skipped.
 *
 * @param maxEntries an archive with more is refused before they are listed
 * @throws ZipError for an archive that is damaged, encrypted, larger than 4 GB, or has too many entries
 */
export async function entriesOfZip(source: ZipSource, maxEntries: number = Infinity): Promise<readonly ZipEntry[]> {
  const from = Math.max(0, source.size - maxEnd);
  const tail = viewOf(await source.read(from, source.size));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== endMark) end--;
  if (end < 0) throw new ZipError('damaged');
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (start === 0xffffffff) throw new ZipError('too-large');
  // The places of an archive count from its first byte, and another file may stand before it.
  const shift = from + end - size - start;
  if (shift < 0) throw new ZipError('damaged');
  const directory = viewOf(await source.read(shift + start, shift + start + size));
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== entryMark) throw new ZipError('damaged');
    const nameLength = directory.getUint16(at + 28, true);
    const next = at + 46 + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    if (next > directory.byteLength) throw new ZipError('damaged');
    if ((directory.getUint16(at + 8, true) & 1) === 1) throw new ZipError('encrypted');
    if (entries.length >= maxEntries) throw new ZipError('too-many');
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength)),
      method: directory.getUint16(at + 10, true),
      packed: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      start: shift + directory.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/**
 * Yields the content of a file of an archive. Never more than the archive states: a small file may unpack to any size.
 *
 * @throws ZipError `damaged` for content that cannot be decompressed, or has another size than the archive states; and what `read` throws
 */
export async function* unzipped(source: ZipSource, entry: ZipEntry): AsyncGenerator<Uint8Array, void> {
  const { method, size, start } = entry;
  const header = viewOf(await source.read(start, start + 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== headerMark) throw new ZipError('damaged');
  if (method !== 0 && method !== 8) throw new ZipError('damaged');
  const begin = start + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  let failure: Error = new ZipError('damaged');
  const packed = packedBytes(source, begin, begin + entry.packed, (error) => (failure = error));
  const reader = (method === 0 ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'))).getReader();
  let read = 0;
  try {
    for (;;) {
      const { value } = await reader.read().catch(() => {
        throw failure;
      });
      if (value === undefined) break;
      read += value.length;
      if (read > size) throw new ZipError('damaged');
      yield value;
    }
    if (read < size) throw new ZipError('damaged');
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Streams bytes of an archive in small steps. `onError` gets what `read` throws: a stream may replace it. */
function packedBytes(
  { read }: ZipSource,
  start: number,
  end: number,
  onError: (error: Error) => void,
): ReadableStream<Bytes> {
  let at = start;
  let buffer = new Uint8Array(0);
  return new ReadableStream(
    {
      async pull(controller) {
        if (buffer.length === 0 && at < end) {
          try {
            buffer = new Uint8Array(await read(at, Math.min(end, at + readSize)));
          } catch (error) {
            onError(error instanceof Error ? error : new Error(String(error), { cause: error }));
            throw error;
          }
          // The archive ends within the file: what is missing shows in its size.
          at = buffer.length === 0 ? end : at + buffer.length;
        }
        if (buffer.length === 0) return controller.close();
        controller.enqueue(buffer.subarray(0, step));
        buffer = buffer.subarray(step);
      },
    },
    { highWaterMark: 0 },
  );
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
