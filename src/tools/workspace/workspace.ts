import { findFile, removeFile, writeFile } from './folder.ts';
import { readVersion, type Version, versionOf } from './content.ts';
import { withLock } from './lock.ts';
import { openWorkspace, type WorkspaceDirectory } from './open-workspace.ts';

/** A folder and what its tools may do. */
export interface Workspace {
  readonly directory: WorkspaceDirectory;
  /** Maximum bytes of a file. */
  readonly maxBytes: number;
}

/** A file before and after a change; `undefined` where there is no file. */
export interface Change {
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

export function toWorkspace({ directory = openWorkspace, maxBytes = 262_144 }: Partial<Workspace>): Workspace {
  return { directory, maxBytes };
}

export async function rootOf({ directory }: Pick<Workspace, 'directory'>): Promise<FileSystemDirectoryHandle> {
  return typeof directory === 'function' ? directory() : directory;
}

/** Returns a file; `undefined` if there is none. */
export async function readFile(workspace: Workspace, path: string): Promise<Version | undefined> {
  const file = await findFile(await rootOf(workspace), path);
  return file && readVersion(file, path, workspace.maxBytes);
}

/**
 * Changes a file as a compare-and-set: `decide` receives what the file contains and returns what it shall contain, `undefined` to remove it,
 * or throws. No other tab changes the file in between.
 */
export function changeFile(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
  decide: (before: Version | undefined) => string | undefined | Promise<string | undefined>,
): Promise<Change> {
  return withLock(path, signal, async () => {
    const directory = await rootOf(workspace);
    const before = await readFile({ ...workspace, directory }, path);
    const text = await decide(before);
    const after = text === undefined ? undefined : await versionOf(text, path, workspace.maxBytes);
    signal.throwIfAborted();
    if (after) await writeFile(directory, path, after.text);
    else if (before) await removeFile(directory, path);
    return { before, after };
  });
}

/**
 * Returns the file if it is the expected one.
 *
 * @throws Error with what to do
 */
export function expectVersion(current: Version | undefined, path: string, hash: string): Version {
  if (current === undefined) throw new Error(`Nothing was changed: ${path} does not exist (any more).`);
  if (current.hash !== hash)
    throw new Error(
      `Nothing was changed: ${path} is not the file that was read: its hash is ${current.hash}, not ${hash}. Read it again.`,
    );
  return current;
}
