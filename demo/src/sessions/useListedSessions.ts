import type { SessionSummary } from 'brooklet';
import { useAgent, useObservable } from 'brooklet/react';
import { useSessions, type UseSessionsResult } from 'brooklet/react/lists';
import { useEffect, useMemo, useState } from 'react';
import { forgetRemoved, getRemoved, removed$ } from './actions.ts';
import { pinnedOnly } from './metadata.ts';

/** The sessions of the list: the loaded pages, the pinned ones, those that wait for a person, and the current one, each once and in their order. */
export function useListedSessions(search: string, current: string | undefined): UseSessionsResult {
  const list = useSessions({ search });
  const { sessions: pinned } = useSessions({ where: pinnedOnly, limit: 100 });
  const { sessions: waiting } = useSessions({ waiting: true, limit: 100 });
  const removed = useObservable(removed$, getRemoved);
  const { sessions, isLoading } = list;
  const isListed = [...sessions, ...pinned, ...waiting].some(({ id }) => id === current);
  const missing = useSummary(search === '' && !isLoading && !isListed ? current : undefined);

  useEffect(() => {
    if (!isLoading && search === '') forgetRemoved(new Set([...sessions, ...pinned, ...waiting].map(({ id }) => id)));
  }, [isLoading, search, sessions, pinned, waiting]);

  const all = useMemo(() => {
    const isKept = ({ id }: SessionSummary): boolean => !removed.has(id);
    if (search !== '') return sessions.filter(isKept);
    const byId = new Map(
      [...waiting, ...pinned, ...(missing ? [missing] : []), ...sessions].map((one) => [one.id, one]),
    );
    return [...byId.values()].filter(isKept).sort((a, b) => b.updatedAt - a.updatedAt);
  }, [search, sessions, pinned, waiting, missing, removed]);
  return { ...list, sessions: all };
}

/** Reads the summary of a session that is not on a loaded page. */
function useSummary(sessionId: string | undefined): SessionSummary | undefined {
  const { store } = useAgent();
  const [summary, setSummary] = useState<SessionSummary>();
  useEffect(() => {
    if (!store || sessionId === undefined) return undefined;
    let isMounted = true;
    store.read(sessionId, { after: Infinity }).then(
      (stored) => isMounted && setSummary(stored?.summary),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, [store, sessionId]);
  return summary?.id === sessionId ? summary : undefined;
}
