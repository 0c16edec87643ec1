import { Subject } from 'rxjs';
import { freeze } from '../core/freeze.ts';
import { AgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { createMeta } from '../core/log/meta.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionSummary, SessionStore, StoredSession } from '../core/model/store.ts';
import { waitsForPerson } from '../core/model/summary.ts';
import { checkLimit, checkList, parseCursor, toCursor, type Place } from './cursor.ts';
import { hasWords, toSearchText, toWords } from './search-text.ts';
import { isListed } from './where.ts';
import type { StoreVerbs } from './verbs.ts';
import { conflict, rejected } from './storage-errors.ts';

/**
 * Creates a store that keeps sessions in memory, for as long as the page lives: for tests, and for pages that must store
 * nothing. It offers every verb but no locks, and shares nothing with other tabs.
 */
export function createMemoryStore(): SessionStore & StoreVerbs {
  const stored = new Map<string, StoredSession>();
  /** Removed sessions, restorable until a new session takes their id. */
  const removed = new Map<string, StoredSession>();
  const changes = new Subject<string>();
  let isClosed = false;

  function sessions(): Map<string, StoredSession> {
    if (isClosed)
      throw new AgentError('The store has been closed. Create another one with createMemoryStore.', {
        code: 'STORAGE_UNAVAILABLE',
      });
    return stored;
  }

  return {
    changes$: changes.asObservable(),

    async list(options) {
      const { limit = 50, cursor, search = '', where, waiting = false, children } = checkList(options);
      checkLimit(limit);
      const end: Place = cursor === undefined ? [Infinity, ''] : parseCursor(cursor);
      const words = toWords(search);
      const heads = Array.from(sessions().values())
        .filter(
          ({ summary, events }) =>
            words.length === 0 || hasWords(toSearchText(summary.id, summary.title, events), words),
        )
        .map(({ summary }) => summary)
        .filter(
          (head) =>
            isBelow(head, end) && isListed(head, { where, waiting, children }) && (!waiting || waitsForPerson(head)),
        );
      heads.sort((a, b) => (isBelow(a, placeOf(b)) ? 1 : -1));
      const page = heads.slice(0, limit);
      const last = page.at(-1);
      return { sessions: page, ...(last && heads.length > page.length && { cursor: toCursor(placeOf(last)) }) };
    },

    async read(sessionId, { after = -Infinity } = {}) {
      const session = sessions().get(sessionId);
      return session && { ...session, events: session.events.filter((event) => event.seq > after) };
    },

    async write({ sessionId, expectedSeq, writeId, expectedWriteId, replaces = [], events: given, summary }) {
      const events = copyOf(given);
      const session = sessions().get(sessionId);
      const kept = (session?.events ?? []).filter(
        ({ seq }) => !replaces.some(([from, to]) => from <= seq && seq <= to),
      );
      const log = [...kept, ...events].sort((a, b) => a.seq - b.seq);
      const hasDuplicate = log.some(({ seq }, index) => seq === log[index + 1]?.seq);
      const isExpected = expectedWriteId === undefined || session?.writeId === expectedWriteId;
      if ((session?.summary.seq ?? 0) !== expectedSeq || !isExpected || hasDuplicate) throw conflict();
      stored.set(sessionId, { summary: freeze(structuredClone(summary)), events: log, ...defined({ writeId }) });
      removed.delete(sessionId);
      changes.next(sessionId);
    },

    async remove(sessionId) {
      const session = sessions().get(sessionId);
      if (session === undefined) return false;
      stored.delete(sessionId);
      removed.set(sessionId, session);
      changes.next(sessionId);
      return true;
    },

    async restore(sessionId) {
      sessions();
      const session = removed.get(sessionId);
      if (session === undefined) return false;
      removed.delete(sessionId);
      stored.set(sessionId, session);
      changes.next(sessionId);
      return true;
    },

    async wasRemoved(sessionId) {
      sessions();
      return removed.has(sessionId);
    },

    meta: createMeta(),

    close() {
      isClosed = true;
      changes.complete();
    },
  };
}

/** @throws AgentError `STORAGE_REJECTED` for events that are not JSON */
function copyOf(events: readonly SessionEvent[]): readonly SessionEvent[] {
  try {
    JSON.stringify(events);
    return freeze(structuredClone(events));
  } catch (thrown) {
    throw rejected(thrown);
  }
}

function placeOf(head: SessionSummary): Place {
  return [head.updatedAt, head.id];
}

/** Whether a row comes after the place in the list, which is ordered from the newest change to the oldest. */
function isBelow({ updatedAt, id }: SessionSummary, [placeTime, placeId]: Place): boolean {
  return updatedAt < placeTime || (updatedAt === placeTime && id < placeId);
}
