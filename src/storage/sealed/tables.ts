import { defined } from '../../core/json.ts';
import type { SessionWrite, StoredSession } from '../../core/model/store.ts';
import { isGapless } from '../rows/gapless.ts';
import { tidyUpgraded } from '../indexeddb/idle-work.ts';
import { readSession } from '../indexeddb/read-session.ts';
import { purgeDue, remove, restore, wasRemoved } from '../indexeddb/removal.ts';
import { isSummary, readSummary } from '../rows/rows.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { isSealed } from '../rows/sealed-row.ts';
import { toLog } from '../rows/to-log.ts';
import { unpack } from '../indexeddb/unpack.ts';
import { createWriter } from '../indexeddb/writer.ts';
import type { StoreVerbs } from '../verbs.ts';
import { encryptSession } from './encrypt-session.ts';
import { bareUnlessSealed, type HeadMark, openMarked } from './heads.ts';
import { listPage } from './list.ts';
import { openLog } from './logs.ts';
import { getMeta, updateMeta } from './meta.ts';
import type { SealedWrite } from './seal-write.ts';
import { createStrictness } from './note.ts';
import { type Sealer, strictly } from './sealer.ts';
import { searchPage } from './search.ts';
import { createWrites } from './writes.ts';
import { isBlobRef } from '../indexeddb/blobs.ts';

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
  const strictness = createStrictness(disk, sealer);
  /**
   * Sessions whose row of the list is encrypted, with what it says of the other rows. Invariant: a session with an encrypted event has such a
   * row.
   */
  const sealedHeads = new Map<string, HeadMark | undefined>();
  /** Sessions with rows that are not encrypted. */
  const plainRows = new Set<string>();
  let tidied: Promise<unknown> | undefined;

  async function put({ write, packed, mark }: SealedWrite): Promise<void> {
    await writer.put(write, packed);
    sealedHeads.set(write.sessionId, mark);
    await strictness.noteBeginning();
  }

  /** A session whose rows are not known may have some that are not encrypted. */
  const mayBePlain = ({ sessionId, expectedSeq }: SessionWrite): boolean =>
    expectedSeq > 0 && !strictness.isStrict() && (plainRows.has(sessionId) || sealedHeads.get(sessionId) === undefined);

  const writes = createWrites({
    sealer,
    put,
    headOf: (write) => ({
      needsHead: !sealedHeads.has(write.sessionId),
      mark: strictness.isStrict() ? 'all' : mayBePlain(write) ? undefined : 'rows',
    }),
    prepare: (write) => (mayBePlain(write) ? encryptRest(write.sessionId) : undefined),
  });

  /** Where everything is encrypted, a row that is not was written by somebody without the key, and stays damage. */
  async function encryptRest(sessionId: string): Promise<void> {
    if (await strictness.look()) return;
    await encryptSession(disk, sealer, sessionId, 'rows');
    plainRows.delete(sessionId);
    sealedHeads.set(sessionId, 'rows');
  }

  async function read(sessionId: string, after: number): Promise<StoredSession | undefined> {
    const isStrict = await strictness.look();
    const found = await readSession(disk, sessionId, after, true);
    if (found === undefined) return undefined;
    const { seq, writeId, log } = found;
    const { row, mark } = await openMarked(sealer, isStrict ? bareUnlessSealed(found.row) : found.row);
    // A session whose row says that all are encrypted has no other.
    const its = isStrict || mark ? strictly(sealer) : sealer;
    const { events, unread } = toLog(await openLog(its, log), after);
    if (seq) writer.noteFence(sessionId);
    if (isSealed(found.row)) sealedHeads.set(sessionId, mark);
    else sealedHeads.delete(sessionId);
    if (log.rows.every(isSealed)) plainRows.delete(sessionId);
    else plainRows.add(sessionId);
    if (log.refs.length + unread.length === 0 && seq && isSummary(row) && isGapless(events, after, seq))
      return { summary: { ...readSummary(row), seq }, events, ...defined({ writeId }) };
    const raw = { sessionId, after, seq, writeId, row, events, unread, refs: log.refs };
    return unpack(disk, raw, () => openBlobs(disk, isStrict ? strictly(sealer) : sealer, log.refs));
  }

  /** Erases once what was removed by earlier pages. A failure changes nothing. */
  function tidyOnce(): void {
    tidied ??= tidyUpgraded(disk).then(() => purgeDue(disk, undoWindow));
    tidied.catch(() => {});
  }

  return {
    async list(options = {}) {
      if (options.search?.trim()) return searchPage(disk, sealer, options, await strictness.look());
      const page = await listPage(disk, sealer, options, await strictness.look());
      tidyOnce();
      return page;
    },
    // Both find what was written before, as without a codec: a removal must not come before the first write of its session.
    async read(sessionId, { after = -Infinity } = {}) {
      await writes.begun(sessionId);
      return read(sessionId, after);
    },
    async remove(sessionId) {
      await writes.begun(sessionId);
      return remove(disk, sessionId, undoWindow);
    },
    write: writes.write,
    meta: {
      get: async (key) => getMeta(disk, sealer, key, await strictness.look()),
      update: async (key, change) => updateMeta(disk, sealer, key, change, await strictness.look()),
    },
    restore: (sessionId) => restore(disk, sessionId),
    wasRemoved: (sessionId) => wasRemoved(disk, sessionId),
  };
}

/** Returns the value of each reference to a blob, `undefined` where it is missing or damaged. */
async function openBlobs(disk: SessionDisk, { open }: Sealer, refs: readonly unknown[]): Promise<readonly unknown[]> {
  const hashes = refs.map((ref) => (isBlobRef(ref) ? ref.hash : ''));
  const rows = await disk.run(['blobs'], 'readonly', (transaction) =>
    Promise.all(hashes.map((hash) => transaction.objectStore('blobs').get(hash))),
  );
  return Promise.all(hashes.map((hash, index) => open(rows[index], ['blob', hash])));
}
