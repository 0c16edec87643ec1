import { freeze } from '../../core/freeze.ts';
import type { ListOptions, SessionPage, SessionSummary } from '../../core/model/store.ts';
import { waitsForPerson } from '../../core/model/summary.ts';
import { checkLimit, parseCursor, type Place, toCursor } from '../../storage/cursor.ts';
import { isListed } from '../../storage/where.ts';
import type { Coder } from './coder.ts';
import { type Head, openListed } from './head.ts';

/** The rows of the list, in memory. */
export interface Rows {
  /** Keeps the head of a message. Returns whether it is new: later than what is known, and a change of the session. */
  apply(sessionId: string, head: Head): boolean;
  page(coder: Coder, options: ListOptions): Promise<SessionPage>;
}

/** A session with its last message. */
interface Row {
  readonly id: string;
  readonly head: Head;
  /** The row of the list; set once it was needed. */
  summary?: SessionSummary;
}

export function createRows(): Rows {
  const rows = new Map<string, Row>();
  /** The rows in the order of the list; made when they are needed. */
  let sorted: readonly Row[] | undefined;

  return {
    apply(id, head) {
      if (head.nth <= (rows.get(id)?.head.nth ?? 0)) return false;
      rows.set(id, { id, head });
      sorted = undefined;
      return !head.isCompaction && !head.isErased;
    },

    async page(coder, { limit = 50, cursor, where, waiting = false, children }) {
      checkLimit(limit);
      const end: Place = cursor === undefined ? [Infinity, ''] : parseCursor(cursor);
      sorted ??= Array.from(rows.values())
        .filter(({ head }) => !head.isRemoved)
        .sort((a, b) => (isBelow(a, placeOf(b)) ? 1 : -1));
      const sessions: SessionSummary[] = [];
      let last: Row | undefined;
      for (const row of sorted) {
        if (!isBelow(row, end)) continue;
        row.summary ??= freeze(await openListed(coder, row.id, row.head));
        if (!isListed(row.summary, { where, waiting, children }) || (waiting && !waitsForPerson(row.summary))) continue;
        if (sessions.length === limit) return { sessions, ...(last && { cursor: toCursor(placeOf(last)) }) };
        sessions.push(row.summary);
        last = row;
      }
      return { sessions };
    },
  };
}

function placeOf({ id, head }: Row): Place {
  return [head.updatedAt, id];
}

/** Whether a row comes after the place in the list, which is ordered from the newest change to the oldest. */
function isBelow({ id, head }: Row, [placeTime, placeId]: Place): boolean {
  return head.updatedAt < placeTime || (head.updatedAt === placeTime && id < placeId);
}
