import { defined } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { ListOptions, SessionSummary, SessionPage, StoredSession } from '../../core/model/store.ts';
import { waitsForPerson } from '../../core/model/summary.ts';
import { mayHaveBlobs, type Packed } from './blobs.ts';
import { checkLimit, toCursor } from '../cursor.ts';
import { rejected } from '../storage-errors.ts';
import type { StoreVerbs } from '../verbs.ts';
import { isListed } from '../where.ts';
import { isGapless } from '../rows/gapless.ts';
import { packInIdleTime, tidy } from './idle-work.ts';
import { getMetaEntry, updateMetaEntry } from './meta-entries.ts';
import { pack } from './pack.ts';
import { readSession } from './read-session.ts';
import { remove, restore, wasRemoved } from './removal.ts';
import { isSummary, readSummary } from '../rows/rows.ts';
import type { SessionDisk } from './schema.ts';
import { search } from './search/search.ts';
import { toLog } from '../rows/to-log.ts';
import { unpack } from './unpack.ts';
import { listRange, placeOf, withMark } from '../rows/waiting-mark.ts';
import { createWriter } from './writer.ts';

/** Rows of a log from which on packing them is worthwhile. */
const manyRows = 100;

/**
 * The verbs on one open database. They reject with the browser's DOMExceptions.
 *
 * @param undoWindow ms for which a removal can be undone
 */
export function createTables(disk: SessionDisk, undoWindow: number): StoreVerbs {
  const writer = createWriter(disk);
  /** By session whose attachments are being hashed: starts that write at once, without blobs. */
  const hashing = new Map<string, () => void>();
  let tidied: Promise<unknown> | undefined;

  /** Does once what keeps later pages and searches fast. A failure changes nothing. */
  function tidyOnce(): void {
    tidied ??= tidy(disk, undoWindow);
    tidied.catch(() => {});
  }

  async function page({ limit = 50, cursor, where, waiting, children }: ListOptions): Promise<SessionPage> {
    checkLimit(limit);
    const { index, range } = listRange(cursor, waiting);
    return disk.run(['list'], 'readonly', async (transaction) => {
      const sessions: SessionSummary[] = [];
      let last: IDBValidKey | undefined;
      let row = await transaction.objectStore('list').index(index).openCursor(range, 'prev');
      for (; row !== null && sessions.length < limit; row = await row.continue()) {
        if (!isListed(row.value, { where, waiting, children })) continue;
        // One unreadable row must not break the list.
        const head = readSummary(row.value);
        if (waiting && !waitsForPerson(head)) continue;
        sessions.push(head);
        last = row.key;
      }
      return { sessions, ...(row !== null && last !== undefined && { cursor: toCursor(placeOf(last)) }) };
    });
  }

  return {
    async list(options = {}) {
      if (options.search?.trim()) return search(disk, options);
      const sessions = await page(options);
      tidyOnce();
      return sessions;
    },

    async read(sessionId, { after = -Infinity } = {}): Promise<StoredSession | undefined> {
      const found = await readSession(disk, sessionId, after);
      if (found === undefined) return undefined;
      const { row, seq, writeId, log } = found;
      if (seq) writer.noteFence(sessionId);
      const { events, unread } = toLog(log.rows, after);
      // The next reader is served faster; this one does not wait, and a failure changes nothing.
      if (log.rows.length > manyRows) packInIdleTime(disk, sessionId, log.rows).catch(() => {});
      if (log.refs.length + unread.length === 0 && seq && isSummary(row) && isGapless(events, after, seq))
        return { summary: { ...readSummary(row), seq }, events, ...defined({ writeId }) };
      return unpack(disk, { sessionId, after, seq, writeId, row, events, unread, refs: log.refs });
    },

    write(given) {
      const write = { ...given, summary: withMark(given.summary, given.summary) };
      const { sessionId, events } = write;
      // This write builds on the one that is being hashed: that one starts now, without blobs.
      hashing.get(sessionId)?.();
      if (!anyHasBlobs(events)) return writer.put(write);
      return new Promise((resolve) => {
        const listening = new AbortController();
        const begin = (packed?: Packed): void => {
          if (listening.signal.aborted) return;
          listening.abort();
          hashing.delete(sessionId);
          resolve(writer.put(write, packed));
        };
        const beginNow = (): void => begin();
        hashing.set(sessionId, beginNow);
        // A page that is being unloaded does not resume after a promise.
        for (const type of ['pagehide', 'visibilitychange']) globalThis.addEventListener?.(type, beginNow, listening);
        pack(events).then(begin, beginNow);
      });
    },

    meta: {
      get: (key) => getMetaEntry(disk, key),
      update: (key, change) => updateMetaEntry(disk, key, change),
    },
    remove: (sessionId) => remove(disk, sessionId, undoWindow),
    restore: (sessionId) => restore(disk, sessionId),
    wasRemoved: (sessionId) => wasRemoved(disk, sessionId),
  };
}

/** @throws AgentError `STORAGE_REJECTED` for an event that is not JSON: a BigInt, a cycle */
function anyHasBlobs(events: readonly SessionEvent[]): boolean {
  try {
    return events.filter(mayHaveBlobs).length > 0;
  } catch (thrown) {
    throw rejected(thrown);
  }
}
