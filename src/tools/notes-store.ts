import { named } from '../core/model/shapes/named.ts';
import type { DBSchema } from 'idb';
import { isJsonObject } from '../core/json.ts';
import { browserPorts } from '../core/ports.ts';
import { createSmallDatabase } from '../storage/small-database.ts';

/** A note. */
export interface Note {
  /** 1, 2, …; never reused. */
  readonly id: number;
  readonly text: string;
  /** ms since the epoch */
  readonly createdAt: number;
}

/** Stores the notes of `notesTools` and the memory of `memoryTools`. */
export interface NotesStore {
  add(text: string): Promise<Note>;
  get(id: number): Promise<Note | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Note[]>;
  /** Resolves with whether the note existed. */
  delete(id: number): Promise<boolean>;
}

/** Options of `createNotesStore`. */
export interface NotesStoreOptions {
  /** Name of the database. Default: `brooklet-notes`. */
  readonly name?: string;
  /** ms since the epoch. Default: the browser's clock. */
  readonly now?: () => number;
}

interface Schema extends DBSchema {
  /** `unknown`, because stored values are checked with `isNote`. */
  notes: { key: number; value: unknown };
}

/**
 * Stores notes in an IndexedDB database. The database is opened with the first operation and closed when another tab wants
 * to upgrade or delete it; the next operation opens it again. Every method rejects with an `AgentError` of type `STORAGE`
 * when the browser refuses the operation.
 */
export function createNotesStore(options: NotesStoreOptions = {}): NotesStore {
  const { name = 'brooklet-notes', now = browserPorts.now } = named(
    options,
    { name: true, now: true },
    'createNotesStore',
  );
  const { attempt } = createSmallDatabase<Schema>(name, {
    create: (db) => void db.createObjectStore('notes', { keyPath: 'id', autoIncrement: true }),
    missing: 'This page has no IndexedDB and cannot store notes: pass a `store`, for example `createMemoryNotes()`.',
  });

  return {
    add: (text) =>
      attempt(async ({ run }) => {
        const note = { text, createdAt: now() };
        const id = await run(['notes'], 'readwrite', (transaction) => transaction.objectStore('notes').add(note));
        return { id, ...note };
      }),
    get: (id) =>
      attempt(async ({ run }) => {
        const note = await run(['notes'], 'readonly', (transaction) => transaction.objectStore('notes').get(id));
        return isNote(note) ? note : undefined;
      }),
    list: () =>
      attempt(async ({ run }) =>
        (await run(['notes'], 'readonly', (transaction) => transaction.objectStore('notes').getAll())).filter(isNote),
      ),
    delete: (id) =>
      attempt(({ run }) =>
        run(['notes'], 'readwrite', async (transaction) => {
          const notes = transaction.objectStore('notes');
          const wasThere = (await notes.getKey(id)) !== undefined;
          await notes.delete(id);
          return wasThere;
        }),
      ),
  };
}

/** Stores notes in memory until the page closes: for tests, and for pages that must not store anything. */
export function createMemoryNotes(options: Pick<NotesStoreOptions, 'now'> = {}): NotesStore {
  const { now = browserPorts.now } = named(options, { now: true }, 'createMemoryNotes');
  const notes = new Map<number, Note>();
  let last = 0;
  return {
    async add(text) {
      const note = { id: ++last, text, createdAt: now() };
      notes.set(note.id, note);
      return note;
    },
    get: async (id) => notes.get(id),
    list: async () => [...notes.values()],
    delete: async (id) => notes.delete(id),
  };
}

function isNote(value: unknown): value is Note {
  return (
    isJsonObject(value) &&
    typeof value.id === 'number' &&
    typeof value.text === 'string' &&
    typeof value.createdAt === 'number'
  );
}
