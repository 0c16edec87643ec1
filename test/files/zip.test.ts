import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { entriesOfZip, isZip, unzipped, type ZipEntry, ZipError, type ZipSource } from '../../src/files/zip.ts';

const text = 'A line of text.\n'.repeat(100_000);
const archive = zipSync({
  'a.txt': strToU8(text),
  'b/': new Uint8Array(0),
  'b/stored.bin': [new Uint8Array(600_000).map((_, at) => (at * 7) % 251), { level: 0 }],
});

/** A source, and the reads of it. */
function sourceOf(bytes: Uint8Array): ZipSource & { readonly reads: (readonly [start: number, end: number])[] } {
  const reads: (readonly [number, number])[] = [];
  return {
    size: bytes.length,
    reads,
    async read(start, end) {
      reads.push([start, end]);
      return bytes.slice(start, end);
    },
  };
}

async function contentOf(source: ZipSource, entry: ZipEntry | undefined): Promise<Uint8Array> {
  const pieces: BlobPart[] = [];
  for await (const piece of unzipped(source, entry ?? expect.unreachable())) pieces.push(new Uint8Array(piece));
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Returns a copy of the archive with its directory changed. `at` is where the directory begins. */
function changed(change: (view: DataView, at: number) => void): Uint8Array {
  const copy = archive.slice();
  const view = new DataView(copy.buffer);
  change(view, view.getUint32(copy.length - 6, true));
  return copy;
}

describe('an archive', () => {
  test('lists its files, and any of them is read without the others', async () => {
    const source = sourceOf(archive);
    const entries = await entriesOfZip(source);
    expect(entries.map(({ name, size }) => [name, size])).toEqual([
      ['a.txt', text.length],
      ['b/', 0],
      ['b/stored.bin', 600_000],
    ]);
    source.reads.length = 0;
    const stored = await contentOf(source, entries[2]);
    expect(stored).toHaveLength(600_000);
    expect([stored[0], stored[599_999]]).toEqual([0, (599_999 * 7) % 251]);
    const begin = entries[2]?.start ?? 0;
    expect(source.reads.every(([start, end]) => start >= begin && end - start <= 262_144)).toBe(true);
    expect(new TextDecoder().decode(await contentOf(source, entries[0]))).toBe(text);
    expect(await contentOf(source, entries[1])).toHaveLength(0);
  });

  test('may have a comment at its end, and another file before it', async () => {
    const commented = new Uint8Array([...strToU8('MZ and a program'), ...archive, ...strToU8('a comment')]);
    new DataView(commented.buffer).setUint16(commented.length - 9 - 2, 9, true);
    const source = sourceOf(commented);
    const entries = await entriesOfZip(source);
    expect(new TextDecoder().decode(await contentOf(source, entries[0]))).toBe(text);
  });

  test('is known by its first bytes, also where it is empty', () => {
    expect(isZip(archive)).toBe(true);
    expect(isZip(zipSync({}))).toBe(true);
    expect(isZip(strToU8('PK'))).toBe(false);
    expect(isZip(strToU8('PKPK'))).toBe(false);
    expect(isZip(new Uint8Array([0x50, 0x4b, 3, 6]))).toBe(false);
  });

  test('that is empty has no files', async () => {
    expect(await entriesOfZip(sourceOf(zipSync({})))).toEqual([]);
  });

  test.each<[string, Uint8Array]>([
    ['damaged', archive.subarray(0, -10)],
    ['damaged', new Uint8Array(0)],
    ['damaged', changed((view, at) => view.setUint32(at, 0))],
    // Its first entry ends after the directory.
    ['damaged', changed((view, at) => view.setUint16(at + 28, 60_000, true))],
    // A directory that would begin before the archive.
    ['damaged', changed((view) => view.setUint32(view.byteLength - 10, 0x7fffffff, true))],
    ['encrypted', changed((view, at) => view.setUint16(at + 8, 1, true))],
    ['too-large', changed((view) => view.setUint32(view.byteLength - 6, 0xffffffff, true))],
  ])('that is %s is refused', async (flaw, bytes) => {
    await expect(entriesOfZip(sourceOf(bytes))).rejects.toMatchObject({ name: 'ZipError', flaw });
  });

  test('with too many files is refused', async () => {
    expect(await entriesOfZip(sourceOf(archive), 3)).toHaveLength(3);
    await expect(entriesOfZip(sourceOf(archive), 2)).rejects.toMatchObject({ flaw: 'too-many' });
  });
});

describe('the content of a file is refused', () => {
  test.each<[string, (view: DataView, at: number) => void]>([
    ['where its header is none', (view) => view.setUint32(0, 0)],
    ['where its header is beyond the end', (view, at) => view.setUint32(at + 42, 0x00ffffff, true)],
    ['under an unknown compression', (view, at) => view.setUint16(at + 10, 99, true)],
    ['where it is damaged', (view) => view.setUint32(40, 0xffffffff)],
    ['where it is larger than stated', (view, at) => view.setUint32(at + 24, 10, true)],
    ['where it is smaller than stated', (view, at) => view.setUint32(at + 24, 10_000_000, true)],
    ['where it is cut', (view, at) => view.setUint32(at + 20, 100, true)],
  ])('%s', async (_, change) => {
    const source = sourceOf(changed(change));
    const [entry] = await entriesOfZip(source);
    await expect(contentOf(source, entry)).rejects.toBeInstanceOf(ZipError);
  });

  test('with what reading throws', async () => {
    const source = sourceOf(archive);
    const entries = await entriesOfZip(source);
    const gone = new Error('gone');
    for (const entry of [entries[0], entries[2]]) {
      let reads = 0;
      const read: ZipSource['read'] = async (start, end) => {
        reads += 1;
        if (reads > 1) throw gone;
        return source.read(start, end);
      };
      await expect(contentOf({ ...source, read }, entry)).rejects.toBe(gone);
    }
  });

  test('early: a bomb is not decompressed to its end', async () => {
    const bomb = zipSync({ bomb: new Uint8Array(60_000_000) });
    const source = sourceOf(bomb);
    const [entry] = await entriesOfZip(source);
    let bytes = 0;
    await expect(
      (async () => {
        for await (const piece of unzipped(source, { ...(entry ?? expect.unreachable()), size: 1_000 }))
          bytes += piece.length;
      })(),
    ).rejects.toMatchObject({ flaw: 'damaged' });
    expect(bytes).toBe(0);
  });
});
