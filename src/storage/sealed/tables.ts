import { defined, isJsonObject } from '../../core/json.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { commit } from '../indexeddb/commit.ts';
import { isGapless } from '../indexeddb/gapless.ts';
import { keysAfter, toFenceKey } from '../indexeddb/keys.ts';
import type { LoadDeferred } from '../indexeddb/load-deferred.ts';
import { isSummary } from '../indexeddb/rows.ts';
import { toLog } from '../indexeddb/to-log.ts';
import { isSealed } from '../indexeddb/sealed-row.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import type { StoreVerbs } from '../verbs.ts';
import { openHead } from './heads.ts';
import { listPage } from './list.ts';
import { openLog, requestLog } from './logs.ts';
import { openBlobs } from './open-blobs.ts';
import { getMeta, updateMeta } from './meta.ts';
import type { SealedWrite } from './seal-write.ts';
import type { Sealer } from './sealer.ts';
import { searchPage } from './search.ts';
import { createWrites } from './writes.ts';

interface SealedTablesOptions {
  readonly sealer: Sealer;
  /** ms for which a removal can be undone */
  readonly undoWindow: number;
  readonly loadDeferred: LoadDeferred;
}

/**
 * The verbs on one open database whose rows are encrypted: as `createTables`, with the same fences. Rows are encrypted before a
 * transaction begins and decrypted after its end, because a transaction ends while WebCrypto works.
 */
export function createSealedTables(
  db: IDBDatabase,
  { sealer, undoWindow, loadDeferred }: SealedTablesOptions,
): StoreVerbs {
  /** Sessions whose fence this connection has seen. Invariant: such a fence is replaced, but never removed. */
  const seen = new Set<string>();
  /** Sessions whose row of the list is encrypted. Invariant: a session with an encrypted event has such a row. */
  const sealedHeads = new Set<string>();
  let tidied: Promise<unknown> | undefined;

  async function put({ write, packed }: SealedWrite): Promise<void> {
    const { sessionId } = write;
    const removedRefs = await commit(db, write, seen.has(sessionId), packed);
    seen.add(sessionId);
    sealedHeads.add(sessionId);
    // The write stands even if unused blobs stay on the disk.
    if (removedRefs.length > 0)
      await loadDeferred()
        .then(({ free, wrap }) => free(wrap(db), removedRefs))
        .catch(() => {});
  }

  const writes = createWrites({ sealer, loadDeferred, put, needsHead: (sessionId) => !sealedHeads.has(sessionId) });

  async function read(sessionId: string, after: number): Promise<StoredSession | undefined> {
    const transaction = db.transaction(['fences', 'sessions', 'events', 'refs']);
    const fence = transaction.objectStore('fences').index('id').getKey(sessionId);
    const head: IDBRequest<unknown> = transaction.objectStore('sessions').index('id').get(sessionId);
    const getLog = requestLog(transaction.objectStore('events'), sessionId, after);
    const ownRefs: IDBRequest<unknown[]> = transaction.objectStore('refs').getAll(keysAfter(sessionId, after));
    await transactionDone(transaction);
    const [, seq, writeId] = toFenceKey(fence.result);
    // There never was such a session, or it was removed.
    if (isJsonObject(head.result) ? head.result.seq === 0 : !seq) return undefined;
    const row = await openHead(sealer, head.result);
    const { events, unread } = toLog(await openLog(sealer, getLog()), after);
    if (seq) seen.add(sessionId);
    if (isSealed(head.result)) sealedHeads.add(sessionId);
    else sealedHeads.delete(sessionId);
    const refs = ownRefs.result;
    if (refs.length + unread.length === 0 && seq && isSummary(row) && isGapless(events, after, seq))
      return { summary: { ...row, seq }, events, ...defined({ writeId }) };
    const { unpack, wrap } = await loadDeferred();
    const raw = { sessionId, after, seq, writeId, row, events, unread, refs };
    return unpack(wrap(db), raw, () => openBlobs(db, sealer, refs));
  }

  /** Erases once what was removed by earlier pages. A failure changes nothing. */
  function tidyOnce(): void {
    tidied ??= loadDeferred().then(({ purgeDue, wrap }) => purgeDue(wrap(db), undoWindow));
    tidied.catch(() => {});
  }

  return {
    async list(options = {}) {
      if (options.search?.trim()) return searchPage(db, sealer, options);
      const page = await listPage(db, sealer, options);
      tidyOnce();
      return page;
    },
    read: (sessionId, { after = -Infinity } = {}) => read(sessionId, after),
    write: writes.write,
    meta: {
      get: (key) => getMeta(db, sealer, key),
      update: (key, change) => updateMeta(db, sealer, key, change),
    },
    remove: (sessionId) => loadDeferred().then(({ remove, wrap }) => remove(wrap(db), sessionId, undoWindow)),
    restore: (sessionId) => loadDeferred().then(({ restore, wrap }) => restore(wrap(db), sessionId)),
    wasRemoved: (sessionId) => loadDeferred().then(({ wasRemoved, wrap }) => wasRemoved(wrap(db), sessionId)),
  };
}
