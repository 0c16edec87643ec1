import { SkillError } from '../skill-error.ts';
import type { SourceFile, SourceFiles } from './source-file.ts';

/** Lists a folder of the disk or of OPFS. Files are read when they are needed. Hidden folders are not entered. */
export async function filesOfDirectory(root: FileSystemDirectoryHandle, maxFiles: number): Promise<SourceFiles> {
  const files: SourceFile[] = [];
  const folders: { readonly handle: FileSystemDirectoryHandle; readonly path: string }[] = [{ handle: root, path: '' }];
  let seen = 0;
  for (const { handle, path } of folders) {
    // Sequential: `folders` grows while it is read, and the limit must hold before the next entry.
    for await (const [name, entry] of handle.entries()) {
      if (++seen > maxFiles)
        throw new SkillError(
          root.name,
          'too-many',
          `The folder has more than ${maxFiles} files: pick the folder of the skills.`,
        );
      if (entry.kind === 'file') files.push(toFile(entry, path + name));
      else if (!name.startsWith('.')) folders.push({ handle: entry, path: `${path}${name}/` });
    }
  }
  return { files, problems: [] };
}

function toFile(handle: FileSystemFileHandle, path: string): SourceFile {
  return { path, read: async () => bytesOf(await handle.getFile()) };
}

/** Returns the files of an `<input type="file" webkitdirectory>`. */
export function filesOfInput(files: readonly File[], maxFiles: number): SourceFiles {
  if (files.length > maxFiles)
    throw new SkillError(
      files[0]?.webkitRelativePath.split('/')[0] ?? '',
      'too-many',
      `The folder has ${files.length} files, more than ${maxFiles}: pick the folder of the skills.`,
    );
  return {
    files: files.map((file) => ({
      path: file.webkitRelativePath,
      size: file.size,
      read: () => bytesOf(file),
    })),
    problems: [],
  };
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}
