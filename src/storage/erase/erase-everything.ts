import { deleteDB, openDB } from 'idb';
import { AgentError } from '../../core/error.ts';
import { toText } from '../../core/model/read-json.ts';
import { named } from '../../core/model/shapes/named.ts';
import { openVaultChannel } from './vault-channel.ts';
import { createChanges } from '../changes.ts';
import { toStorageError } from '../storage-errors.ts';
import { type DatabaseKind, recognize } from './recognize.ts';

/** Options of `eraseEverything`, all optional. */
export interface EraseOptions {
  /**
   * Names of databases of a vault, of notes or of devices that the page has chosen (`createVault({ name })`), and of all databases where
   * the browser lists none (Firefox before 126). Databases of sessions are found under any name.
   */
  readonly databases?: readonly string[];
  /** Names of folders of `openWorkspace` beside `brooklet-workspace`. */
  readonly workspaces?: readonly string[];
}

/** What is still there. */
export interface LeftBehind {
  /** A database, a folder, or a key of `localStorage` or `sessionStorage`. */
  readonly type: 'database' | 'workspace' | 'entry';
  readonly name: string;
  /** Of type `STORAGE`; `STORAGE_BLOCKED` where another tab does not let go of a database. */
  readonly error: AgentError;
}

/** What `eraseEverything` resolves with. */
export interface ErasedReport {
  /** The names of what was erased. */
  readonly databases: readonly string[];
  readonly workspaces: readonly string[];
  /** Keys of `localStorage` and of this tab's `sessionStorage`. */
  readonly entries: readonly string[];
  /** Number of stored sessions, those included whose removal could still be undone. */
  readonly sessions: number;
  /** Empty where nothing is left. */
  readonly left: readonly LeftBehind[];
}

/** ms that other tabs have to let go of a database. */
const patience = 5_000;
/** ms that other tabs have to end their sessions, and what they have begun to store. */
const settling = 200;
const defaultWorkspace = 'brooklet-workspace';
const defaultDatabases = ['brooklet', 'brooklet-keys', 'brooklet-notes'];

/**
 * Erases what this package has stored in this origin: sessions with their attachments, search index, rules and pins, encrypted or not; the
 * keys of vaults; notes; the key pair of this device; the folder of `openWorkspace`; the notes of a sign-in. Databases and entries of the
 * page itself stay. There is no undo.
 *
 * Open sessions end in every tab and worker, as after `agent.removeSession`; their runs are cancelled. Open vaults have no keys any more. What
 * the page has sent to a service or a replica is not erased there.
 *
 * Never rejects for what it cannot erase: that is in `left`, and a second call tries it again.
 *
 * @throws AgentError `INVALID_CONFIG` for an unknown option
 * @example
 * const { left } = await eraseEverything();
 * if (left.length > 0) show(`Close the other tabs: ${left.map(({ name }) => name).join(', ')} could not be erased.`);
 */
export async function eraseEverything(options: EraseOptions = {}): Promise<ErasedReport> {
  const { databases = [], workspaces = [] } = named(options, { databases: true, workspaces: true }, 'eraseEverything');
  const left: LeftBehind[] = [];
  const attempt = async (type: LeftBehind['type'], name: string, work: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await work();
    } catch (thrown) {
      left.push({ type, name, error: toStorageError(thrown) });
      return false;
    }
  };
  let sessions = 0;
  const erased = { databases: new Array<string>(), workspaces: new Array<string>(), entries: new Array<string>() };
  for (const name of await namesOf(databases)) {
    const erase = async (): Promise<boolean> => {
      const { kind, ids } = await inspect(name, databases.includes(name) || /^brooklet\b/.test(name));
      if (kind === undefined) return false;
      sessions += ids.length;
      await eraseDatabase(name, kind, ids);
      return true;
    };
    if (await attempt('database', name, erase)) erased.databases.push(name);
  }
  for (const name of new Set([defaultWorkspace, ...workspaces]))
    if (await attempt('workspace', name, () => eraseFolder(name))) erased.workspaces.push(name);
  for (const storage of storagesOf())
    for (const key of keysOf(storage))
      if (await attempt('entry', key, async () => (storage.removeItem(key), true))) erased.entries.push(key);
  return { ...erased, sessions, left };
}

/** Returns the databases that may be of this package, each once. */
async function namesOf(given: readonly string[]): Promise<readonly string[]> {
  if (typeof indexedDB === 'undefined') return [];
  return Array.from(new Set([...((await listNames()) ?? defaultDatabases), ...given]));
}

/** Returns the names of all databases; `undefined` where the browser lists none (Firefox before 126), and where the page may store nothing. */
async function listNames(): Promise<readonly string[] | undefined> {
  const listed = await Promise.resolve(indexedDB.databases?.()).catch(() => undefined);
  // WebKit lists a database whose first upgrade was aborted, with version 0: there is none.
  return listed?.filter(({ version }) => version !== 0).map(({ name }) => name ?? '');
}

interface Inspected {
  /** `undefined` where there is no such database, and for one that is not ours. */
  readonly kind: DatabaseKind | undefined;
  /** Of its sessions, those included whose removal can be undone. */
  readonly ids: readonly string[];
}

const nothing: Inspected = { kind: undefined, ids: [] };

/** Looks into a database of any version. */
async function inspect(name: string, isOurs: boolean): Promise<Inspected> {
  if ((await listNames())?.includes(name) === false) return nothing;
  let isMissing = false;
  const opening = openDB(name, undefined, {
    upgrade(_db, _from, _to, transaction) {
      isMissing = true;
      // There was no such database: opening it must not make one.
      transaction.done.catch(() => {});
      transaction.abort();
    },
  });
  const db = await opening.catch((thrown: unknown) => {
    if (isMissing) return undefined;
    throw thrown;
  });
  if (db === undefined) return nothing;
  try {
    const kind = recognize(db, isOurs);
    if (kind !== 'sessions') return { kind, ids: [] };
    // Before version 5 the rows had the `seq` in their keys.
    const list = db.objectStoreNames.contains('list') ? 'list' : 'sessions';
    const keys = await db.getAllKeys(list);
    return { kind, ids: keys.map((key) => toText(Array.isArray(key) ? key[0] : key)) };
  } finally {
    db.close();
  }
}

async function eraseDatabase(name: string, kind: DatabaseKind, ids: readonly string[]): Promise<void> {
  if (kind === 'keys') {
    const tabs = openVaultChannel(name);
    tabs.post('erased');
    await deleteDatabase(name);
    tabs.post('changed');
    await pause();
    return tabs.close();
  }
  if (kind !== 'sessions') return deleteDatabase(name);
  const changes = createChanges(name);
  try {
    changes.announceErasure();
    await deleteDatabase(name);
    // Each session that is open looks for itself, and ends.
    for (const id of ids) changes.notify(id);
    await pause();
    // A tab may have stored what it had begun before it was notified of the erasure.
    const before = new Set(ids);
    const again = (await inspect(name, true)).ids.filter((id) => before.has(id));
    if (again.length > 0) await deleteDatabase(name);
  } finally {
    changes.close();
  }
}

/** Rejects with AgentError `STORAGE_BLOCKED` where a tab does not let go of the database in time. The browser deletes it when the tab does. */
async function deleteDatabase(name: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `Another tab does not let go of the database "${name}": close it, then erase again.`;
    timer = setTimeout(() => reject(new AgentError(message, { code: 'STORAGE_BLOCKED', retryable: true })), patience);
  });
  try {
    await Promise.race([deleteDB(name), late]);
  } finally {
    clearTimeout(timer);
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, settling));

/** Resolves with whether there was such a folder. */
async function eraseFolder(name: string): Promise<boolean> {
  const root = await globalThis.navigator?.storage?.getDirectory?.().catch((thrown: unknown) => {
    // A private window of Firefox has no file system: the page cannot have made a folder.
    if (isNamed(thrown, 'SecurityError')) return undefined;
    throw thrown;
  });
  if (root === undefined) return false;
  try {
    await root.removeEntry(name, { recursive: true });
    return true;
  } catch (thrown) {
    if (isNamed(thrown, 'NotFoundError')) return false;
    throw thrown;
  }
}

const isNamed = (thrown: unknown, name: string): boolean => thrown instanceof Error && thrown.name === name;

/** Returns `localStorage` and `sessionStorage`, where the page may use them. */
function storagesOf(): readonly Storage[] {
  return (['localStorage', 'sessionStorage'] as const).flatMap((name) => {
    try {
      return globalThis[name] ?? [];
    } catch {
      return [];
    }
  });
}

/** Returns the keys of this package: `brooklet:run:…` of a session, `brooklet-mcp/…` of a sign-in. */
const keysOf = (storage: Storage): readonly string[] =>
  Object.keys(storage).filter((key) => key.startsWith('brooklet:run:') || key.startsWith('brooklet-mcp/'));
