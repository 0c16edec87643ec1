import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Json } from '../../core/json.ts';
import type { Place } from '../cursor.ts';
import type { Disk, TransactionOf } from '../disk.ts';
import type { Cover } from './covers.ts';
import type { FenceKey, RefKey, RowKey } from './keys.ts';
import type { SealedPart } from '../rows/sealed-row.ts';
import { markOlder, type WaitingKey } from '../rows/waiting-mark.ts';

/**
 * The tables of the database. Values are `unknown`: rows from a disk are read through `rows.ts`.
 *
 * Optimistic concurrency: a session's fence has the `seq` of its last event and the id of its last write in its key (the fencing
 * token), and as its value the id of the session, which is unique in the index `id`. A compare-and-set is two blind requests: `put null
 * at [id, expected seq, expected write]`, which releases the id, and `add id at [id, seq, write]`. Where another writer was first, the
 * released row is not the one that has the id, and the `add` fails. Nothing is read first, so that a page that is being unloaded can
 * commit at once; and nothing is deleted (rules 1 and 4 of `Disk`). A released fence is equal to none and is deleted at any later time. A
 * fence with `seq` 0 stands for a removed session and refuses late writers.
 */
export interface Schema extends DBSchema {
  /** The session's id and nothing else, because the row is replaced by every write; `null` where the fence is released. */
  fences: { key: FenceKey; value: string | null; indexes: { id: string } };
  /**
   * SessionSummary, one per session, for the list; its `seq` lags behind while a text streams. A removed session has a
   * tombstone instead, `{ id, seq: 0 }` with `removedAt` and its `row`, for as long as the removal can be undone. A row of which a call
   * waits for a person has a mark (waiting-mark.ts).
   */
  list: { key: string; value: unknown; indexes: { updated: Place; removed: number; waiting: WaitingKey } };
  /** SessionEvent, or a list of settled events under the `seq` of the last one (to-rows.ts, pack-rows.ts). Big values are in `blobs`. */
  events: { key: RowKey; value: unknown };
  /** What a write has replaced and is not deleted yet, by the `seq` of the write. */
  covers: { key: RowKey; value: Cover };
  /** Attachments and big outputs, under the SHA-256 of their JSON. */
  blobs: { key: string; value: unknown };
  /** BlobRef: which blob belongs to which event. A blob is erased with its last reference. */
  refs: { key: RefKey; value: unknown; indexes: { hash: string } };
  /** The search index, made by searches: SearchText by session id, and signatures of many sessions by number (signature-blocks.ts). */
  texts: { key: string | number | [slice: number, block: number]; value: unknown };
  /** Entries of `StoreMeta`. Only JSON is written, encrypted where there is a codec; readers check its shape. */
  meta: { key: string; value: Json | SealedPart };
  /** The rows of `list` up to version 4. Nothing reads or writes them after the upgrade; they are deleted later. */
  sessions: { key: RowKey; value: unknown; indexes: { id: string; updated: Place; removed: number } };
}

export type Database = IDBPDatabase<Schema>;

/** The transactions on the database. */
export type SessionDisk = Disk<Schema>;

export type Transaction<Mode extends IDBTransactionMode> = TransactionOf<Schema, Mode>;

/**
 * From version 4 on, fences name the last write: pages of version 3 could not replace such a fence. From version 5 on, nothing is deleted
 * beside a put: fences are released, what is replaced is covered, and the row of the list has the id alone as its key. From version 6 on,
 * an index finds the sessions that wait: pages of version 5 would write their rows without the mark.
 */
export const schemaVersion = 6;

type Upgrade = IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>;

/**
 * Upgrades a database of any older version (0: a new one). Invariants: the step of a released version is never edited; no step deletes,
 * because the page may be left during the upgrade.
 */
export async function upgrade(db: Database, version: number, transaction: Upgrade): Promise<void> {
  // Other code of the page makes an empty database of version 1 by opening it without a version.
  const from = db.objectStoreNames.length === 0 ? 0 : version;
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
    const keys = await transaction.objectStore('sessions').getAllKeys();
    await Promise.all(keys.map((key) => fences.add(key[0], key)));
  }
  if (from < 5) {
    const list = db.createObjectStore('list', { keyPath: 'id' });
    list.createIndex('updated', ['updatedAt', 'id']);
    list.createIndex('removed', 'removedAt');
    db.createObjectStore('covers');
    await Promise.all((await transaction.objectStore('sessions').getAll()).map((row) => list.put(row)));
    // What an older version has lost in WebKit is looked for once (rescue.ts).
    if (from > 0) await transaction.objectStore('meta').put(true, rescueKey);
  }
  if (from < 6) {
    const list = transaction.objectStore('list');
    list.createIndex('waiting', ['waits', 'updatedAt', 'id']);
    const rows = await list.getAll();
    await Promise.all(rows.filter((row) => markOlder(row) !== row).map((row) => list.put(markOlder(row))));
  }
}

/** The entry of `meta` that is there until `rescue` has looked for sessions without a row. */
export const rescueKey = 'brooklet:rescue';
