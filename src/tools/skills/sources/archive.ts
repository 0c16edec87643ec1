import { messageOf } from '../../../core/error.ts';
import { entriesOfZip, isZip, unzipped, type ZipEntry, ZipError, type ZipSource } from '../../../files/zip.ts';
import type { SkillLimits } from '../limits.ts';
import { SkillError } from '../skill-error.ts';
import type { SourceFile, SourceFiles } from './source-file.ts';

/**
 * Decompresses a zip in memory. What an archive states about itself is not believed: bytes and entries are counted as they come, and the work
 * stops at the limit.
 *
 * Rejects with a SkillError for an archive that is damaged, encrypted or beyond a limit.
 */
export async function filesOfArchive(
  bytes: Uint8Array,
  name: string,
  limits: Required<SkillLimits>,
): Promise<SourceFiles> {
  if (!isZip(bytes)) throw new SkillError(name, 'unreadable', 'The file is not a zip archive.');
  if (bytes.length > limits.bytes)
    throw new SkillError(name, 'too-large', `The archive has more than ${limits.bytes} bytes.`);
  const source: ZipSource = { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
  const entries = await entriesOfZip(source, limits.files).catch((error: unknown) => refuse(error, name, limits));
  const files: SourceFile[] = [];
  const problems: SkillError[] = [];
  let left = limits.bytes;

  /** Reads a file to its end, and keeps it where it is small enough. */
  async function take(entry: ZipEntry): Promise<void> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of unzipped(source, entry)) {
      size += piece.length;
      left -= piece.length;
      if (left < 0)
        throw new SkillError(entry.name, 'too-large', `The archive has more than ${limits.bytes} bytes, decompressed.`);
      if (size <= limits.fileBytes) pieces.push(piece);
      else pieces.length = 0;
    }
    if (entry.name.endsWith('/')) return;
    if (size > limits.fileBytes)
      problems.push(new SkillError(entry.name, 'too-large', `The file has more than ${limits.fileBytes} bytes.`));
    else files.push({ path: entry.name, size, read: async () => join(pieces, size) });
  }

  for (const entry of entries)
    // Sequential: the limit must hold before the next file.
    await take(entry).catch((error: unknown) => refuse(error, entry.name, limits));
  return { files, problems };
}

function refuse(error: unknown, name: string, { files }: Required<SkillLimits>): never {
  if (error instanceof SkillError) throw error;
  if (error instanceof ZipError && error.flaw === 'too-many')
    throw new SkillError(name, 'too-many', `The archive has more than ${files} entries.`);
  throw new SkillError(name, 'unreadable', `The zip archive cannot be read: ${messageOf(error)}`, error);
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
