import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** A file of a stored source of skills. */
interface StoredFile {
  readonly path: string;
  readonly content: Blob;
}

/** Where skills came from, with what is needed to read them again. */
export type StoredSource =
  /** Read from its address each time the page is opened. */
  | { readonly label: string; readonly is: 'url'; readonly url: string }
  | { readonly label: string; readonly is: 'zip'; readonly content: Blob }
  /** A copy of a picked folder. */
  | { readonly label: string; readonly is: 'folder'; readonly files: readonly StoredFile[] };

interface Schema extends DBSchema {
  skills: { key: string; value: StoredSource };
  folders: { key: string; value: FileSystemDirectoryHandle };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

/** The skills and the picked folder of the user. Rejects with the error of the browser; the next call tries again. */
export function roomsDatabase(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('brooklet-studio-rooms', 1, {
    upgrade(db) {
      db.createObjectStore('skills', { keyPath: 'label' });
      db.createObjectStore('folders');
    },
    blocking(_from, _to, event) {
      opened = undefined;
      if (event.target instanceof IDBDatabase) event.target.close();
    },
    terminated: () => (opened = undefined),
  });
  opened.catch(() => (opened = undefined));
  return opened;
}
