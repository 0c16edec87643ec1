import { useEffect, useState } from 'react';
import type { SessionSummary } from '../../index.ts';

const nothing: ReadonlyMap<string, number> = new Map();

/**
 * Returns whether a session has messages that the person has not seen in this page: more than when it was listed first, or last as the current
 * one. A session that works is read when it has ended.
 */
export function useUnread(
  sessions: readonly SessionSummary[],
  current: string | undefined,
): (session: SessionSummary) => boolean {
  const [seen, setSeen] = useState(nothing);
  useEffect(() => {
    setSeen((before) => {
      const news = sessions.filter(
        ({ id, messageCount }) => !before.has(id) || (id === current && before.get(id) !== messageCount),
      );
      return news.length === 0
        ? before
        : new Map([...before, ...news.map(({ id, messageCount }) => [id, messageCount] as const)]);
    });
  }, [sessions, current]);
  return ({ id, messageCount, status }) =>
    id !== current && status !== 'running' && messageCount > (seen.get(id) ?? messageCount);
}
