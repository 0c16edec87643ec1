import { Subject } from 'rxjs';
import { AgentError } from '../core/error.ts';
import type { SessionEvent } from '../core/log/event.ts';
import type { SessionHead, SessionStore } from '../core/log/store.ts';
import { parseCursor, toCursor, type Place } from './cursor.ts';

interface Kept {
  readonly head: SessionHead;
  /** Grows in place; only copies leave the store. */
  readonly events: SessionEvent[];
}

/** Keeps sessions for as long as the page lives: for tests, and where nothing can be stored. */
export function createMemoryStore(): SessionStore {
  const stored = new Map<string, Kept>();
  const changes = new Subject<string>();
  let isClosed = false;

  function sessions(): Map<string, Kept> {
    if (isClosed) throw new AgentError('The store has been closed.', { code: 'STORAGE_UNAVAILABLE' });
    return stored;
  }

  return {
    changes$: changes.asObservable(),

    async list({ limit = 50, cursor } = {}) {
      const end: Place = cursor === undefined ? [Infinity, ''] : parseCursor(cursor);
      const heads = [...sessions().values()].map(({ head }) => head).filter((head) => compare(placeOf(head), end) < 0);
      heads.sort((a, b) => compare(placeOf(b), placeOf(a)));
      const page = heads.slice(0, limit);
      const last = page.at(-1);
      return { sessions: page, ...(last && heads.length > page.length && { cursor: toCursor(placeOf(last)) }) };
    },

    async read(sessionId, { after = -Infinity } = {}) {
      const session = sessions().get(sessionId);
      return session && { head: session.head, events: session.events.filter((event) => event.seq > after) };
    },

    async write({ sessionId, expects, replaces = [], events, head }) {
      const session = sessions().get(sessionId);
      if ((session?.head.seq ?? 0) !== expects) throw conflict(sessionId);
      const log = session?.events ?? [];
      const isReplaced = ({ seq }: SessionEvent): boolean => replaces.some(([from, to]) => from <= seq && seq <= to);
      const kept = replaces.length > 0 ? log.filter((event) => !isReplaced(event)) : log;
      const isAppended = (kept.at(-1)?.seq ?? 0) < (events[0]?.seq ?? Infinity);
      // Only what takes the place of something else is sorted in: an ordinary write costs what it brings.
      if (!isAppended) {
        const taken = new Set(kept.map(({ seq }) => seq));
        if (events.some(({ seq }) => taken.has(seq))) throw conflict(sessionId);
      }
      for (const event of events) kept.push(event);
      if (!isAppended) kept.sort((a, b) => a.seq - b.seq);
      sessions().set(sessionId, { head, events: kept });
      changes.next(sessionId);
    },

    async remove(sessionId) {
      const wasThere = sessions().delete(sessionId);
      if (wasThere) changes.next(sessionId);
      return wasThere;
    },

    close() {
      isClosed = true;
      changes.complete();
    },
  };
}

function placeOf(head: SessionHead): Place {
  return [head.updatedAt, head.id];
}

function compare([aTime, aId]: Place, [bTime, bId]: Place): number {
  return aTime - bTime || (aId < bId ? -1 : aId > bId ? 1 : 0);
}

const conflict = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} was changed or removed by another writer. Read it again.`, {
    code: 'STORAGE_CONFLICT',
  });
