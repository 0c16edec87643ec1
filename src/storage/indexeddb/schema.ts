import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Json } from '../../core/json.ts';
import type { Place } from '../cursor.ts';

/**
 * What lies in the database. Values are `unknown`: what comes from a disk is read through `rows.ts`.
 *
 * A session's fence has the `seq` of its last event in its key, and the id in it is unique. That makes "only if the session is still the
 * one I know" a matter of two blind requests, `delete [id, expected]` and `add`: no reading first, so that a page that is about to
 * vanish can commit at once. A fence with `seq` 0 stands for a removed session and keeps late writers out.
 */
interface Schema extends DBSchema {
  /** The session's id, and nothing else: it is written anew with every write. */
  fences: { key: RowKey; value: string; indexes: { id: string } };
  /**
   * What the list shows: SessionSummary, one a session, whose `seq` stays behind while a text streams. Of a removed session
   * `{ id, seq: 0 }` with `removedAt` and its `row`, for as long as that can be taken back.
   */
  sessions: {
    key: RowKey;
    value: unknown;
    indexes: { id: string; updated: Place; removed: number };
  };
  /** SessionEvent, or a list of settled ones by the `seq` of the last (to-rows.ts); what is big is not in it but in `blobs`. */
  events: { key: [sessionId: string, seq: number]; value: unknown };
  /** Attachments and big outputs, by the SHA-256 of their JSON. */
  blobs: { key: string; value: unknown };
  /** BlobRef: which blob belongs where. The last one of a blob takes the blob with it. */
  refs: { key: [sessionId: string, seq: number, index: number]; value: unknown; indexes: { hash: string } };
  /** What is searched, made when somebody searches: SearchText by session, and by numbers signatures of many sessions (shelves.ts). */
  texts: { key: string | number | [slice: number, shelf: number]; value: unknown };
  /** Facts about the database as a whole. Only JSON is ever written there, and whoever reads it looks at what it is. */
  meta: { key: string; value: Json };
}

export type RowKey = [sessionId: string, seq: number];

export type Database = IDBPDatabase<Schema>;

/** One over all tables. */
export type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Schema, StoreNames<Schema>[], Mode>;

export const schemaVersion = 3;

/** Brings a database of any older version (0: a new one) to this one: a step for each version, never edited once released. */
export function upgrade(db: IDBDatabase, from: number, transaction: IDBTransaction): void {
  if (from < 1) {
    const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
    sessions.createIndex('id', 'id', { unique: true });
    // With the id, so that sessions of the same millisecond keep an order. Removed ones have no time and are not in it.
    sessions.createIndex('updated', ['updatedAt', 'id']);
    db.createObjectStore('events');
    db.createObjectStore('blobs');
    db.createObjectStore('meta');
  }
  if (from < 2) {
    transaction.objectStore('sessions').createIndex('removed', 'removedAt');
    db.createObjectStore('refs').createIndex('hash', 'hash');
    db.createObjectStore('texts');
  }
  if (from < 3) {
    const fences = db.createObjectStore('fences');
    fences.createIndex('id', '', { unique: true });
    // Of the keys alone, be they thousands.
    const keys = transaction.objectStore('sessions').getAllKeys();
    keys.addEventListener('success', () => {
      for (const key of keys.result) if (Array.isArray(key)) fences.add(key[0], key);
    });
  }
}
