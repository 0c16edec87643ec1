import { directory } from './folder.ts';

/** A file of the workspace. */
export interface ListedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Files that are listed. */
const most = 500;

/** Lists the files of the workspace by path; those of hidden folders are left out. */
export async function listFiles(): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const folders: { readonly handle: FileSystemDirectoryHandle; readonly path: string }[] = [
    { handle: await directory(), path: '' },
  ];
  // The iteration includes folders that are added meanwhile.
  for (const { handle, path } of folders)
    for await (const [name, entry] of handle.entries()) {
      if (name.startsWith('.') || files.length === most) continue;
      if (entry.kind === 'file') files.push({ path: path + name, size: (await entry.getFile()).size });
      else folders.push({ handle: entry, path: `${path}${name}/` });
    }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns a file of the workspace. */
export async function openFile(path: string): Promise<File> {
  const names = path.split('/');
  const fileName = names.pop() ?? '';
  let folder = await directory();
  for (const name of names) folder = await folder.getDirectoryHandle(name);
  return (await folder.getFileHandle(fileName)).getFile();
}
