import { useAgent } from 'brooklet/react';
import { type ReactElement, useDeferredValue, useMemo } from 'react';
import { Lists } from '../Lists.tsx';
import { useTexts } from '../texts/useTexts.ts';
import { exportSessions, removeSession, togglePin } from './actions.ts';
import { groupByAge } from './groupByAge.ts';
import { SessionRow, type SessionRowActions } from './SessionRow.tsx';
import { useListedSessions } from './useListedSessions.ts';
import { useToday } from './useToday.ts';

interface SessionListProps {
  readonly search: string;
  readonly current: string | undefined;
  readonly onNavigate: () => void;
}

/** The stored conversations, most recently changed first, or those that contain the words of a search. */
export function SessionList(props: SessionListProps): ReactElement {
  return (
    <Lists>
      <FoundSessions {...props} />
    </Lists>
  );
}

function FoundSessions({ search, current, onNavigate }: SessionListProps): ReactElement {
  const { sessions: words, common } = useTexts();
  const agent = useAgent();
  const today = useToday();
  const searched = useDeferredValue(search.trim());
  const { sessions, isLoading, error, hasMore, isLoadingMore, loadMore, rename } = useListedSessions(searched, current);

  const actions = useMemo(
    (): SessionRowActions => ({
      onOpen: onNavigate,
      onRename: ({ id }, title) => void rename(id, title),
      onPin: (summary, isPinned) => togglePin(agent, summary, isPinned),
      onExport: (summary) => void exportSessions(agent, summary),
      onRemove: (summary) => removeSession(agent, summary),
    }),
    [agent, rename, onNavigate],
  );

  return (
    <nav aria-label={words.list} className="sessions">
      {searched !== '' && (
        <output className="hint found">{isLoading ? words.searching : words.found(sessions.length, hasMore)}</output>
      )}
      {groupByAge(sessions, today).map(({ age, sessions: group }) => (
        <section key={age} aria-label={words[age]}>
          <h2>{words[age]}</h2>
          <ul>
            {group.map((summary) => (
              <SessionRow
                key={summary.id}
                summary={summary}
                isCurrent={summary.id === current}
                today={today}
                actions={actions}
              />
            ))}
          </ul>
        </section>
      ))}
      {sessions.length === 0 && !isLoading && !error && (
        <p className="hint empty">{searched === '' ? words.empty : words.notFound(searched)}</p>
      )}
      {error && (
        <p className="hint bad" role="alert">
          {error.message}
        </p>
      )}
      {hasMore && (
        <button type="button" className="quiet wide" disabled={isLoadingMore} onClick={loadMore}>
          {isLoadingMore ? common.loading : words.showOlder}
        </button>
      )}
    </nav>
  );
}
