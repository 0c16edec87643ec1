import { Unzip, type UnzipFile, UnzipInflate } from 'fflate';
import { messageOf } from '../../core/error.ts';
import { SkillError } from '../skill-error.ts';
import type { SkillLimits } from '../limits.ts';
import type { SourceFile, SourceFiles } from './source-file.ts';

/** Compressed bytes that are decompressed at once: deflate makes at most 1,032 of each, so that a bomb is found after 8 MB. */
const step = 8_192;

/**
 * Decompresses an archive in memory. What an archive states about itself is not believed: bytes and entries are counted as they come, and the
 * work stops at the limit.
 *
 * @throws SkillError for an archive that is damaged, encrypted or beyond a limit
 */
export function filesOfZip(archive: Uint8Array, name: string, limits: Required<SkillLimits>): SourceFiles {
  const files: SourceFile[] = [];
  const problems: SkillError[] = [];
  let entries = 0;
  let bytes = 0;

  function take(file: UnzipFile): void {
    if (++entries > limits.files)
      throw new SkillError(name, 'too-many', `The archive has more than ${limits.files} entries.`);
    const pieces: Uint8Array[] = [];
    let size = 0;
    file.ondata = (error, piece, isLast) => {
      // What this function throws comes back as an error of the decoder.
      if (error instanceof SkillError) throw error;
      if (error) throw new SkillError(file.name, 'unreadable', `The entry cannot be decompressed: ${error.message}.`);
      size += piece.length;
      bytes += piece.length;
      if (bytes > limits.bytes)
        throw new SkillError(file.name, 'too-large', `The archive has more than ${limits.bytes} bytes, decompressed.`);
      if (size <= limits.fileBytes) pieces.push(piece);
      else pieces.length = 0;
      if (!isLast || file.name.endsWith('/')) return;
      if (size > limits.fileBytes)
        problems.push(new SkillError(file.name, 'too-large', `The file has more than ${limits.fileBytes} bytes.`));
      else files.push({ path: file.name, size, read: async () => join(pieces, size) });
    };
    file.start();
  }

  try {
    const unzip = new Unzip(take);
    unzip.register(UnzipInflate);
    for (let at = 0; at < archive.length; at += step)
      unzip.push(archive.subarray(at, at + step), at + step >= archive.length);
  } catch (error) {
    if (error instanceof SkillError) throw error;
    throw new SkillError(name, 'unreadable', `This is no readable zip archive: ${messageOf(error)}.`, error);
  }
  if (!hasEnd(archive)) throw new SkillError(name, 'unreadable', 'The archive is not complete: its end is missing.');
  return { files, problems };
}

/** Whether the end of the directory is among the last bytes, which a comment of at most 65,535 bytes may follow. */
function hasEnd(archive: Uint8Array): boolean {
  const least = Math.max(0, archive.length - 65_557);
  for (let at = archive.length - 22; at >= least; at--)
    if (archive[at] === 0x50 && archive[at + 1] === 0x4b && archive[at + 2] === 5 && archive[at + 3] === 6) return true;
  return false;
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
