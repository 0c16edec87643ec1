import { AgentError } from 'brooklet';
import { openWorkspace } from 'brooklet/workspace';
import { BehaviorSubject } from 'rxjs';
import { roomsDatabase } from '../base/roomsDatabase.ts';
import { workspace } from './place.ts';

/** The methods of a picked folder that the types of TypeScript leave out. */
interface PickedFolder extends FileSystemDirectoryHandle {
  queryPermission(options: { readonly mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(options: { readonly mode: 'readwrite' }): Promise<PermissionState>;
}

type Picker = (options: { readonly id: string; readonly mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

const key = 'workspace';
const mode = { mode: 'readwrite' } as const;
const changes = new BehaviorSubject(0);

/** Emits when another folder was picked, or access to it was allowed. */
export const folderChange$ = changes.asObservable();

/** Whether this browser lets the user pick a folder that the page may write to. */
export const canPick = (): boolean => 'showDirectoryPicker' in window;

/** Whether this browser has a private folder for the page. WebKitGTK has none. */
export const canKeep = (): boolean => 'storage' in navigator && 'getDirectory' in navigator.storage;

/** Lets the user pick a folder, and works in it from now on. Resolves with whether the user picked one. Call it by a click. */
export async function pickFolder(): Promise<boolean> {
  const { showDirectoryPicker: pick } = window as unknown as { readonly showDirectoryPicker: Picker };
  try {
    const handle = await pick({ id: 'brooklet-workspace', mode: 'readwrite' });
    await (await roomsDatabase()).put('folders', handle, key);
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return false;
    throw thrown;
  }
  workspace.change(() => 'picked');
  changes.next(changes.value + 1);
  return true;
}

async function pickedFolder(): Promise<PickedFolder | undefined> {
  const handle = await (await roomsDatabase()).get('folders', key);
  return handle && isPicked(handle) ? handle : undefined;
}

/** What the page may do in the picked folder; `missing` if there is none. */
export async function accessOf(): Promise<{ readonly name: string; readonly access: PermissionState | 'missing' }> {
  const handle = await pickedFolder();
  return handle ? { name: handle.name, access: await handle.queryPermission(mode) } : { name: '', access: 'missing' };
}

/** Asks the user for access to the picked folder, which browsers forget with the page. Call it by a click. Rejects without access. */
export async function allowAccess(): Promise<void> {
  const handle = await pickedFolder();
  const access = await handle?.requestPermission(mode);
  if (access !== 'granted') throw noAccess();
  changes.next(changes.value + 1);
}

/** The folder of the workspace. Rejects where the page has no access to it. */
export async function directory(): Promise<FileSystemDirectoryHandle> {
  if (workspace.get() !== 'picked') return openWorkspace();
  const handle = await pickedFolder();
  if (handle && (await handle.queryPermission(mode)) === 'granted') return handle;
  throw noAccess();
}

function noAccess(): AgentError {
  return new AgentError(
    'The page has no access to the folder of the workspace. The user has to allow it in the settings.',
    {
      code: 'PERMISSION_DENIED',
    },
  );
}

function isPicked(handle: FileSystemDirectoryHandle): handle is PickedFolder {
  return 'queryPermission' in handle;
}
