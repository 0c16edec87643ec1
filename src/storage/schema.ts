// What lies in the database. What comes from it is `unknown` until `rows.ts` has looked at it.
//
// sessions  [id, seq]          SessionHead, or of a removed session `{ id, seq: 0 }`, for as long as that can be taken back with
//                              `removedAt` and its `row`; by id (unique), by [updatedAt, id], by removedAt
// events    [id, seq]          SessionEvent; what is big is not in it but in `blobs`
// blobs     SHA-256            attachments and big outputs, by the hash of their JSON
// refs      [id, seq, index]   BlobRef: which blob belongs where; by hash. The last one of a blob takes the blob with it
// texts     id                 SearchText: what a session is searched by; made when somebody searches
// meta                         facts about the database as a whole
//
// A session's row has its `seq` in its key, and its id is unique. That makes "only if the row is still the one I know" a matter of
// two blind requests, `delete [id, expected]` and `add`: no reading first, so that a page that is about to vanish can commit at
// once. A row with `seq` 0 stands for a removed session and keeps late writers out.

export const schemaVersion = 2;

/** Brings a database of any older version (0: a new one) to this one: a step for each version, never edited once released. */
export function upgrade(db: IDBDatabase, from: number, transaction: IDBTransaction | null): void {
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
    transaction?.objectStore('sessions').createIndex('removed', 'removedAt');
    db.createObjectStore('refs').createIndex('hash', 'hash');
    db.createObjectStore('texts');
  }
}
