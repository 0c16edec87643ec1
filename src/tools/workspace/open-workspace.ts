import { fail } from '../../core/error.ts';

/** A folder, or a function that returns it: OPFS is opened asynchronously, and a picked folder may need a permission first. */
export type WorkspaceDirectory = FileSystemDirectoryHandle | (() => Promise<FileSystemDirectoryHandle>);

/**
 * Returns a folder in this browser's private file system (OPFS), which no other origin sees. The folder is created at the first use.
 *
 * Rejects with `STORAGE_UNAVAILABLE` where the browser has no such file system, or gives it to no page (a private window of Safari).
 */
export async function openWorkspace(name = 'brooklet-workspace'): Promise<FileSystemDirectoryHandle> {
  const storage = globalThis.navigator?.storage;
  if (typeof storage?.getDirectory !== 'function') return fail('STORAGE_UNAVAILABLE', unavailable);
  const root = await storage.getDirectory().catch((cause: unknown) => fail('STORAGE_UNAVAILABLE', unavailable, cause));
  return root.getDirectoryHandle(name, { create: true });
}

const unavailable =
  'This browser gives the page no private file system, as in a private window. A folder that the person picks can take its place, where the browser has showDirectoryPicker.';
