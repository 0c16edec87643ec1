import { AgentError, fail, messageOf } from '../../core/error.ts';
import { problemWithPath } from '../../files/safe-path.ts';

/** A file of a folder and its path. */
interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

/** Where a file is, or will be. */
interface Place {
  readonly folder: FileSystemDirectoryHandle;
  readonly name: string;
}

/** Returns a file of the workspace; `undefined` if there is none. */
export async function findFile(root: FileSystemDirectoryHandle, path: string): Promise<File | undefined> {
  try {
    const { folder, name } = await placeOf(root, path, false);
    const handle = await folder.getFileHandle(name);
    return await handle.getFile();
  } catch (error) {
    if (isNamed(error, 'NotFoundError')) return undefined;
    throw explain(error, path);
  }
}

/**
 * Writes a file whole, and creates its folders. The old content stays until the new content is complete; a new file that cannot be written is
 * removed again.
 */
export async function writeFile(root: FileSystemDirectoryHandle, path: string, text: string): Promise<void> {
  try {
    const { folder, name } = await placeOf(root, path, true);
    const known = await folder.getFileHandle(name).catch((error: unknown) => {
      if (isNamed(error, 'NotFoundError')) return undefined;
      throw error;
    });
    const handle = known ?? (await folder.getFileHandle(name, { create: true }));
    await writeInto(handle, text).catch(async (error: unknown) => {
      if (!known) await folder.removeEntry(name).catch(() => {});
      throw error;
    });
  } catch (error) {
    throw explain(error, path);
  }
}

async function writeInto(handle: FileSystemFileHandle, text: string): Promise<void> {
  if (!('createWritable' in handle)) fail('STORAGE_UNAVAILABLE', cannotWrite);
  const writable = await handle.createWritable();
  try {
    await writable.write(text);
  } catch (error) {
    await writable.abort().catch(() => {});
    throw error;
  }
  await writable.close();
}

export async function removeFile(root: FileSystemDirectoryHandle, path: string): Promise<void> {
  try {
    const { folder, name } = await placeOf(root, path, false);
    await folder.removeEntry(name);
  } catch (error) {
    throw explain(error, path);
  }
}

/** The files below a folder. */
export interface Listing {
  readonly files: readonly ListedFile[];
  /** Whether these are all of them. */
  readonly isComplete: boolean;
}

/** Lists all files below a folder, `limit` at most, the folders in the order in which the browser lists them. */
export async function listFiles(root: FileSystemDirectoryHandle, path: string, limit: number): Promise<Listing> {
  const files: ListedFile[] = [];
  const prefix = path === '' ? '' : `${path}/`;
  const start = path === '' ? root : await folderAt(root, path);
  const folders: { readonly folder: FileSystemDirectoryHandle; readonly prefix: string }[] = [
    { folder: start, prefix },
  ];
  for (const one of folders) {
    // Sequential: `folders` grows while it is read, and the list ends at its limit.
    for await (const [name, handle] of one.folder.entries()) {
      if (files.length === limit || folders.length > limit) return { files, isComplete: false };
      if (handle.kind === 'directory') folders.push({ folder: handle, prefix: `${one.prefix}${name}/` });
      else files.push({ path: one.prefix + name, bytes: (await handle.getFile()).size });
    }
  }
  return { files, isComplete: true };
}

async function folderAt(root: FileSystemDirectoryHandle, path: string): Promise<FileSystemDirectoryHandle> {
  try {
    const { folder, name } = await placeOf(root, path, false);
    return await folder.getDirectoryHandle(name);
  } catch (error) {
    throw explain(error, path);
  }
}

async function placeOf(root: FileSystemDirectoryHandle, path: string, create: boolean): Promise<Place> {
  const problem = problemWithPath(path);
  if (problem !== undefined) throw new Error(problem);
  const names = path.split('/');
  const name = names.pop() ?? '';
  let folder = root;
  for (const inner of names) folder = await folder.getDirectoryHandle(inner, { create });
  return { folder, name };
}

const cannotWrite = 'this browser cannot write files from a page (Safari before version 26).';

const reasons: Readonly<Record<string, string>> = {
  NotFoundError: 'there is no such file or folder. List the files first.',
  TypeMismatchError: 'a folder of the path is a file, or the file is a folder.',
  NotAllowedError: 'the page may not use the folder (any more): the person has to allow it, or to pick it again.',
  NoModificationAllowedError: 'the file is locked by another program. Try again later.',
  QuotaExceededError: 'the disk is full.',
  UnknownError: 'the browser does not say why it failed: the name may be too long, or the disk full.',
};

function explain(error: unknown, path: string): Error {
  const reason = error instanceof Error && Object.hasOwn(reasons, error.name) ? reasons[error.name] : undefined;
  const message = `${JSON.stringify(path)}: ${reason ?? messageOf(error)}`;
  if (error instanceof AgentError) return new AgentError(message, { code: error.code, cause: error });
  return new Error(message, { cause: error });
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
