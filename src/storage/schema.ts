import type { DBSchema, IDBPDatabase } from 'idb';

/**
 * What lies in the database. Values are `unknown`: what comes from a disk is read through `rows.ts`.
 *
 * A session's row has its `seq` in its key, and its id is unique. That makes "only if the row is still the one I know"
 * a matter of two blind requests, `delete [id, expected]` and `add`: no reading first, so that a page that is about to
 * vanish can commit at once. A row with `seq` 0 stands for a removed session and keeps late writers out.
 */
export interface Schema extends DBSchema {
  /** SessionHead, or `{ id, seq: 0 }` */
  sessions: {
    key: [id: string, seq: number];
    value: unknown;
    indexes: { id: string; updated: [updatedAt: number, id: string] };
  };
  /** SessionEvent */
  events: { key: [sessionId: string, seq: number]; value: unknown };
  /** Attachments and big outputs by the hash of their content. */
  blobs: { key: string; value: unknown };
  /** Facts about the database as a whole. */
  meta: { key: string; value: unknown };
}

export const schemaVersion = 1;

/** Brings a database of any older version (0: a new one) to this one: a step for each version, never edited once released. */
export function upgrade(db: IDBPDatabase<Schema>, from: number): void {
  if (from < 1) {
    const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
    sessions.createIndex('id', 'id', { unique: true });
    // With the id, so that sessions of the same millisecond keep an order. Removed ones have no time and are not in it.
    sessions.createIndex('updated', ['updatedAt', 'id']);
    db.createObjectStore('events');
    db.createObjectStore('blobs');
    db.createObjectStore('meta');
  }
}
