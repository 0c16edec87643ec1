import type { SessionSummary } from 'brooklet';
import type { MetadataFilter } from 'brooklet/core';
import { useAgent, useObservable } from 'brooklet/react';
import { useSessions, type UseSessionsResult } from 'brooklet/react/lists';
import { useEffect, useMemo, useState } from 'react';
import { forgetRemoved, getRemoved, removed$ } from './actions.ts';
import { isUnfiltered, pinnedOnly } from '../model/metadata.ts';

interface ListedWays {
  readonly search: string;
  readonly current: string | undefined;
  readonly where: MetadataFilter;
}

const none: readonly SessionSummary[] = [];

/**
 * The sessions of the list: the loaded pages, each once and in their order. Without a search and a filter also the pinned ones, those that wait for
 * a person, and the current one; a search without a filter finds archived ones, too.
 */
export function useListedSessions({ search, current, where }: ListedWays): UseSessionsResult {
  const isFiltered = !isUnfiltered(where);
  const list = useSessions({ search, ...((isFiltered || search === '') && { where }) });
  const { sessions: pinned } = useSessions({ where: pinnedOnly, limit: 100 });
  const { sessions: waiting } = useSessions({ waiting: true, limit: 100 });
  const removed = useObservable(removed$, getRemoved);
  const { sessions, isLoading } = list;
  const isWhole = search === '' && !isFiltered;
  const others = useMemo(() => (isWhole ? [...pinned, ...waiting] : none), [isWhole, pinned, waiting]);
  const isListed = [...sessions, ...others].some(({ id }) => id === current);
  const missing = useSummary(isWhole && !isLoading && !isListed ? current : undefined);

  useEffect(() => {
    if (!isLoading && isWhole) forgetRemoved(new Set([...sessions, ...others].map(({ id }) => id)));
  }, [isLoading, isWhole, sessions, others]);

  const all = useMemo(() => {
    const isKept = ({ id }: SessionSummary): boolean => !removed.has(id);
    if (!isWhole) return sessions.filter(isKept);
    const isShown = ({ metadata }: SessionSummary): boolean => metadata?.['archived'] !== true;
    const byId = new Map([...others, ...(missing ? [missing] : []), ...sessions].map((one) => [one.id, one]));
    return [...byId.values()].filter((one) => isKept(one) && isShown(one)).sort((a, b) => b.updatedAt - a.updatedAt);
  }, [isWhole, sessions, others, missing, removed]);
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
