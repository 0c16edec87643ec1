import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Json } from '../../core/json.ts';
import type { Place } from '../cursor.ts';

/**
 * The tables of the database. Values are `unknown`: rows from a disk are read through `rows.ts`.
 *
 * Optimistic concurrency: a session's fence has the `seq` of its last event and the id of its last write in its key (the fencing
 * token), and the id of the session in it is unique. So a compare-and-set is two blind requests, `delete [id, expected seq, expected
 * write]` and `add [id, seq, write]`: where another writer was first, the delete removes nothing and the add fails. Nothing is read first, so that a page that is being unloaded can
 * commit at once. A fence with `seq` 0 stands for a removed session and refuses late writers.
 */
interface Schema extends DBSchema {
  /** The session's id and nothing else, because the row is replaced by every write. */
  fences: { key: FenceKey; value: string; indexes: { id: string } };
  /**
   * SessionSummary, one per session, for the list; its `seq` lags behind while a text streams. A removed session has a
   * tombstone instead, `{ id, seq: 0 }` with `removedAt` and its `row`, for as long as the removal can be undone.
   */
  sessions: {
    key: RowKey;
    value: unknown;
    indexes: { id: string; updated: Place; removed: number };
  };
  /** SessionEvent, or a list of settled events under the `seq` of the last one (to-rows.ts, pack-rows.ts). Big values are in `blobs`. */
  events: { key: [sessionId: string, seq: number]; value: unknown };
  /** Attachments and big outputs, under the SHA-256 of their JSON. */
  blobs: { key: string; value: unknown };
  /** BlobRef: which blob belongs to which event. A blob is erased with its last reference. */
  refs: { key: [sessionId: string, seq: number, index: number]; value: unknown; indexes: { hash: string } };
  /** The search index, made by searches: SearchText by session id, and signatures of many sessions by number (signature-blocks.ts). */
  texts: { key: string | number | [slice: number, block: number]; value: unknown };
  /** Entries of `StoreMeta`. Only JSON is written; readers check its shape. */
  meta: { key: string; value: Json };
}

export type RowKey = [sessionId: string, seq: number];

/** Without `writeId` where the last write had none, as in a database of version 3. */
export type FenceKey = RowKey | [sessionId: string, seq: number, writeId: string];

export type Database = IDBPDatabase<Schema>;

/** A transaction over all tables. */
export type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Schema, StoreNames<Schema>[], Mode>;

/** From version 4 on, fences name the last write: pages of version 3 could not replace such a fence. */
export const schemaVersion = 4;

/** Upgrades a database of any older version (0: a new one). Invariant: the step of a released version is never edited. */
export function upgrade(db: IDBDatabase, from: number, transaction: IDBTransaction): void {
  if (from < 1) {
    const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
    sessions.createIndex('id', 'id', { unique: true });
    // With the id, so that sessions of the same millisecond have an order. Removed sessions have no time and are not indexed.
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
    // From the keys alone, which is fast also for thousands of sessions.
    const keys = transaction.objectStore('sessions').getAllKeys();
    keys.addEventListener('success', () => {
      for (const key of keys.result) if (Array.isArray(key)) fences.add(key[0], key);
    });
  }
}
