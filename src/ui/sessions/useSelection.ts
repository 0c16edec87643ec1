import { useRef, useState } from 'react';
import type { SessionSummary } from '../../index.ts';

/** The sessions that a person has selected. */
export interface Selection {
  /** In the order of the list. Those that are no longer listed are not among them. */
  readonly selected: readonly SessionSummary[];
  readonly has: (sessionId: string) => boolean;
  /** Selects a session or leaves it out; `isRange`: selects all from the one that was selected last. */
  readonly toggle: (sessionId: string, isRange?: boolean) => void;
  /** States where a range begins: at the row that was opened last. */
  readonly begin: (sessionId: string) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

const none: ReadonlySet<string> = new Set();

/**
 * @param rows what can be selected, in the order in which it is shown
 * @param current where a range begins that nothing else begins
 */
export function useSelection(rows: readonly SessionSummary[], current: string | undefined): Selection {
  const [ids, setIds] = useState(none);
  const last = useRef<string>(undefined);
  const toggle: Selection['toggle'] = (sessionId, isRange = false) => {
    const to = rows.findIndex(({ id }) => id === sessionId);
    const from = isRange ? rows.findIndex(({ id }) => id === (last.current ?? current)) : -1;
    if (!isRange || from < 0) last.current = sessionId;
    setIds((before) => {
      const next = new Set(before);
      if (from >= 0) for (const { id } of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(id);
      else if (!next.delete(sessionId)) next.add(sessionId);
      return next;
    });
  };
  return {
    selected: ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id)),
    has: (sessionId) => ids.has(sessionId),
    toggle,
    begin: (sessionId) => void (last.current = sessionId),
    selectAll: () => setIds(new Set(rows.map(({ id }) => id))),
    clear: () => setIds(none),
  };
}
