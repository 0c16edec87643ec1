import { findFile, removeFile, writeFile } from './folder.ts';
import { readVersion, type Version, versionOf } from './content.ts';
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

/** What runs in this page while the browser has no locks, by name. */
const running = new Map<string, Promise<unknown>>();

/**
 * Runs `work` alone among all tabs of the origin that use the same name; among the calls of this page where the browser has no locks. Rejects with
 * the reason of the signal where it aborts before `work` begins.
 */
async function withLock<Value>(name: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const locks = globalThis.navigator?.locks;
  if (locks) return await locks.request(`brooklet-workspace/${name}`, { signal }, work);
  const before = running.get(name) ?? Promise.resolve();
  const own = unlessAborted(before, signal).then(work);
  // The next one also waits for those before this one, which may have left the queue.
  const settled = Promise.allSettled([before, own]);
  running.set(name, settled);
  try {
    return await own;
  } finally {
    void settled.then(() => running.get(name) === settled && running.delete(name));
  }
}

/** Waits for a promise that never rejects. Rejects when the signal aborts. */
function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave);
    void before.then(() => {
      signal.removeEventListener('abort', leave);
      if (signal.aborted) leave();
      else resolve();
    });
  });
}
