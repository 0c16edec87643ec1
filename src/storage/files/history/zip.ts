import { fail } from '../../../core/error.ts';
import { bytesOf, decoded, type TextSource } from '../text-chunks.ts';

// ZIP: APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end). The parts are
// decompressed by the browser (`DecompressionStream`), as they are read: an export may be larger than the memory.

/** Whether a file begins as an archive. */
export async function isZip(file: Blob): Promise<boolean> {
  const [p, k, three, four] = await bytesOf(file, 0, 4);
  return p === 0x50 && k === 0x4b && three === 3 && four === 4;
}

interface Entry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  /** Where the local header begins. */
  readonly start: number;
}

/** Longest end of an archive, with its comment. */
const maxEnd = 65_557;
const endMark = 0x06054b50;
const entryMark = 0x02014b50;

/**
 * Returns the files of an archive that may contain conversations: `conversations.json`, or its pieces, as ChatGPT and Claude export them; else
 * all JSON files.
 *
 * Rejects with AgentError `INVALID_INPUT` for an archive that is damaged, encrypted or larger than 4 GB, and for one without such a file.
 */
export async function conversationFiles(file: Blob): Promise<readonly TextSource[]> {
  const entries = (await entriesOf(file)).filter(({ name }) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
  const named = entries.filter(({ name }) => /(^|\/)conversations([-_]\d+)?\.json$/.test(name));
  const chosen = named.length > 0 ? named : entries.filter(({ name }) => /\.jsonl?$/.test(name));
  if (chosen.length === 0)
    fail('INVALID_INPUT', 'The archive contains no conversations: expected conversations.json, or other JSON files.');
  return chosen
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((entry) => ({ size: entry.size, unit: 'bytes', chunks: () => decoded(unpacked(file, entry)) }));
}

async function entriesOf(file: Blob): Promise<readonly Entry[]> {
  const from = Math.max(0, file.size - maxEnd);
  const tail = viewOf(await bytesOf(file, from, file.size));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== endMark) end--;
  if (end < 0) return damaged();
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (start === 0xffffffff)
    fail('INVALID_INPUT', 'The archive is larger than 4 GB: unpack it, and pass conversations.json.');
  const directory = viewOf(await bytesOf(file, start, start + size));
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== entryMark) return damaged();
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => directory.getUint16(at + offset, true));
    const next = at + 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
    if (next > directory.byteLength) return damaged();
    if ((directory.getUint16(at + 8, true) & 1) === 1)
      fail('INVALID_INPUT', 'The archive is encrypted: unpack it, and pass the JSON file.');
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength)),
      method: directory.getUint16(at + 10, true),
      packed: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      start: directory.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/** Yields the content of a file of the archive. Never more than the archive states: a small file may unpack to any size. */
async function* unpacked(file: Blob, { method, packed, size, start }: Entry): AsyncGenerator<Uint8Array, void> {
  const header = viewOf(await bytesOf(file, start, start + 30));
  if (header.byteLength < 30) damaged();
  const begin = start + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const content = file.slice(begin, begin + packed);
  if (method !== 0 && method !== 8) damaged();
  const stream = method === 0 ? content.stream() : content.stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  let read = 0;
  try {
    for (;;) {
      const { value } = await reader.read().catch(damaged);
      if (value === undefined) break;
      read += value.length;
      if (read > size) damaged();
      yield value;
    }
    if (read < size) damaged();
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function damaged(): never {
  return fail('INVALID_INPUT', 'The archive is damaged: expected a ZIP file with conversations.json.');
}
