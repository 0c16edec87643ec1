import type { SessionSummary } from 'brooklet';
import { useSessions } from 'brooklet/react/lists';
import { type ReactElement, useState } from 'react';
import { type Connection, nameOf } from '../connection.ts';
import { goTo, sessionHref } from '../route.ts';
import { BrookMark } from '../ui/Brook.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ConfirmRemoval } from './ConfirmRemoval.tsx';
import { groupByAge } from './groupByAge.ts';
import { SessionRow } from './SessionRow.tsx';
import { useToday } from './useToday.ts';

interface SidebarProps {
  readonly current: string | undefined;
  readonly connection: Connection;
  readonly onNavigate: () => void;
  readonly onNewChat: () => void;
  readonly onSettings: () => void;
}

/** The stored conversations, most recently changed first, and the chosen model. */
export function Sidebar({ current, connection, onNavigate, onNewChat, onSettings }: SidebarProps): ReactElement {
  const { sessions: stored, isLoading, error, hasMore, isLoadingMore, loadMore, remove, rename } = useSessions();
  const today = useToday();
  const [removing, setRemoving] = useState<SessionSummary>();
  // A removed session stays in the list until the list has been read again.
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const sessions = stored.filter(({ id }) => !removed.has(id));

  const removeNow = ({ id }: SessionSummary): void => {
    setRemoving(undefined);
    setRemoved(new Set(removed).add(id));
    remove(id);
    if (id === current) goTo(undefined);
  };

  return (
    <>
      <header className="brand">
        <BrookMark />
        <span>Brooklet Studio</span>
      </header>
      <a
        className="new-chat"
        href={sessionHref(undefined)}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={(event) => {
          event.preventDefault();
          onNewChat();
        }}
      >
        <Icon name="plus" />
        <span>New chat</span>
        <kbd aria-hidden="true">{shortcut}</kbd>
      </a>
      <nav aria-label="Sessions" className="sessions">
        {groupByAge(sessions, today).map(({ label, sessions: group }) => (
          <section key={label} aria-label={label}>
            <h2>{label}</h2>
            <ul>
              {group.map((summary) => (
                <SessionRow
                  key={summary.id}
                  summary={summary}
                  isCurrent={summary.id === current}
                  onOpen={onNavigate}
                  onRename={(title) => void rename(summary.id, title)}
                  onRemove={() => setRemoving(summary)}
                />
              ))}
            </ul>
          </section>
        ))}
        {sessions.length === 0 && !isLoading && !error && (
          <p className="hint">Your conversations will be listed here. They are stored in this browser only.</p>
        )}
        {error && (
          <p className="hint bad" role="alert">
            {error.message}
          </p>
        )}
        {hasMore && (
          <button type="button" className="quiet wide" disabled={isLoadingMore} onClick={loadMore}>
            {isLoadingMore ? 'Loading…' : 'Show older'}
          </button>
        )}
      </nav>
      <footer className="sidebar-foot">
        <button
          type="button"
          className="who"
          onClick={onSettings}
          aria-label={`Settings. ${describeModel(connection)}`}
        >
          <span className={`dot ${connection.kind}`} />
          <span className="who-text">
            <strong>{nameOf(connection)}</strong>
            <small>{describeHost(connection)}</small>
          </span>
          <Icon name="settings" />
        </button>
      </footer>
      {removing && (
        <ConfirmRemoval
          title={removing.title}
          onCancel={() => setRemoving(undefined)}
          onConfirm={() => removeNow(removing)}
        />
      )}
    </>
  );
}

const shortcut = /mac|iphone|ipad/iu.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

function describeModel(connection: Connection): string {
  return `${nameOf(connection)}${connection.kind === 'offline' ? ' — ' : ', '}${describeHost(connection)}`;
}

function describeHost(connection: Connection): string {
  if (connection.kind === 'offline') return 'scripted, not a real AI';
  if (connection.kind === 'browser') return 'runs on this device';
  const { host } = new URL(connection.endpoint.baseURL);
  return connection.kind === 'locked' ? `${host} — key needed` : host;
}
