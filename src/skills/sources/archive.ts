import type { SkillLimits } from '../limits.ts';
import { SkillError } from '../skill-error.ts';
import type { SourceFiles } from './source-file.ts';

/** Whether bytes begin as a zip does, an empty one included. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** Returns the files of a zip. Loads the code that decompresses. */
export async function filesOfArchive(
  bytes: Uint8Array,
  name: string,
  limits: Required<SkillLimits>,
): Promise<SourceFiles> {
  if (!isZip(bytes)) throw new SkillError(name, 'unreadable', 'This is no zip archive.');
  if (bytes.length > limits.bytes)
    throw new SkillError(name, 'too-large', `The archive has more than ${limits.bytes} bytes.`);
  const { filesOfZip } = await import('./zip.ts');
  return filesOfZip(bytes, name, limits);
}
