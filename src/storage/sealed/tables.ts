import { defined } from '../../core/json.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { isGapless } from '../indexeddb/gapless.ts';
import { tidyUpgraded } from '../indexeddb/idle-work.ts';
import { readSession } from '../indexeddb/read-session.ts';
import { purgeDue, remove, restore, wasRemoved } from '../indexeddb/removal.ts';
import { isSummary, readSummary } from '../indexeddb/rows.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { isSealed } from '../indexeddb/sealed-row.ts';
import { toLog } from '../indexeddb/to-log.ts';
import { unpack } from '../indexeddb/unpack.ts';
import { createWriter } from '../indexeddb/writer.ts';
import type { StoreVerbs } from '../verbs.ts';
import { openHead } from './heads.ts';
import { listPage } from './list.ts';
import { openLog } from './logs.ts';
import { getMeta, updateMeta } from './meta.ts';
import { openBlobs } from './open-blobs.ts';
import type { SealedWrite } from './seal-write.ts';
import type { Sealer } from './sealer.ts';
import { searchPage } from './search.ts';
import { createWrites } from './writes.ts';

interface SealedTablesOptions {
  readonly sealer: Sealer;
  /** ms for which a removal can be undone */
  readonly undoWindow: number;
}

/**
 * The verbs on one open database whose rows are encrypted: as `createTables`, with the same fences. Rows are encrypted before a
 * transaction begins and decrypted after its end, because a transaction ends while WebCrypto works.
 */
export function createSealedTables(disk: SessionDisk, { sealer, undoWindow }: SealedTablesOptions): StoreVerbs {
  const writer = createWriter(disk);
  /** Sessions whose row of the list is encrypted. Invariant: a session with an encrypted event has such a row. */
  const sealedHeads = new Set<string>();
  let tidied: Promise<unknown> | undefined;

  async function put({ write, packed }: SealedWrite): Promise<void> {
    await writer.put(write, packed);
    sealedHeads.add(write.sessionId);
  }

  const writes = createWrites({ sealer, put, needsHead: (sessionId) => !sealedHeads.has(sessionId) });

  async function read(sessionId: string, after: number): Promise<StoredSession | undefined> {
    const found = await readSession(disk, sessionId, after, true);
    if (found === undefined) return undefined;
    const { seq, writeId, log } = found;
    const row = await openHead(sealer, found.row);
    const { events, unread } = toLog(await openLog(sealer, log), after);
    if (seq) writer.noteFence(sessionId);
    if (isSealed(found.row)) sealedHeads.add(sessionId);
    else sealedHeads.delete(sessionId);
    if (log.refs.length + unread.length === 0 && seq && isSummary(row) && isGapless(events, after, seq))
      return { summary: { ...readSummary(row), seq }, events, ...defined({ writeId }) };
    const raw = { sessionId, after, seq, writeId, row, events, unread, refs: log.refs };
    return unpack(disk, raw, () => openBlobs(disk, sealer, log.refs));
  }

  /** Erases once what was removed by earlier pages. A failure changes nothing. */
  function tidyOnce(): void {
    tidied ??= tidyUpgraded(disk).then(() => purgeDue(disk, undoWindow));
    tidied.catch(() => {});
  }

  return {
    async list(options = {}) {
      if (options.search?.trim()) return searchPage(disk, sealer, options);
      const page = await listPage(disk, sealer, options);
      tidyOnce();
      return page;
    },
    read: (sessionId, { after = -Infinity } = {}) => read(sessionId, after),
    write: writes.write,
    meta: {
      get: (key) => getMeta(disk, sealer, key),
      update: (key, change) => updateMeta(disk, sealer, key, change),
    },
    remove: (sessionId) => remove(disk, sessionId, undoWindow),
    restore: (sessionId) => restore(disk, sessionId),
    wasRemoved: (sessionId) => wasRemoved(disk, sessionId),
  };
}
