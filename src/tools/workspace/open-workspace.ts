import { fail } from '../../core/error.ts';

/** A folder, or a function that returns it: OPFS is opened asynchronously, and a picked folder may need a permission first. */
export type WorkspaceDirectory = FileSystemDirectoryHandle | (() => Promise<FileSystemDirectoryHandle>);

/**
 * Returns a folder in this browser's private file system (OPFS), which no other origin sees. The folder is created at the first use.
 *
 * Rejects with `STORAGE_UNAVAILABLE` where the browser has no such file system.
 */
export async function openWorkspace(name = 'brooklet-workspace'): Promise<FileSystemDirectoryHandle> {
  const storage = globalThis.navigator?.storage;
  if (typeof storage?.getDirectory !== 'function')
    return fail(
      'STORAGE_UNAVAILABLE',
      'This browser has no private file system: pass a `directory` that the person picks.',
    );
  const root = await storage.getDirectory();
  return root.getDirectoryHandle(name, { create: true });
}
