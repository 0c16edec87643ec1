import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the files of a profile that contain a text, in UTF-8 or UTF-16. */
export async function filesWith(profile: string, text: string): Promise<readonly string[]> {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  const entries = await readdir(profile, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      return needles.some((needle) => bytes.includes(needle)) ? [path] : [];
    }),
  );
  return found.flat();
}
