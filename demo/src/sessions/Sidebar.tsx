import { useAgent, useObservable } from 'brooklet/react';
import { ErrorBoundary } from 'brooklet/ui';
import { type ReactElement, type RefObject, Suspense, useState } from 'react';
import { type Connection, describeHost, nameOf } from '../connection.ts';
import { canInstall, canInstall$, install } from '../pwa/install.ts';
import { reviewHref, sessionHref } from '../route.ts';
import { ariaKeys, keyCaps, keys } from '../shell/keys.ts';
import { ConnectionDot } from '../settings/ConnectionDot.tsx';
import { openOverlay } from '../shell/overlay.ts';
import { SessionList } from '../shell/rooms.ts';
import { useTexts } from '../texts/useTexts.ts';
import { BrookMark } from '../ui/Brook.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Menu } from '../ui/Menu.tsx';
import { exportSessions } from './actions.ts';
import { SearchField } from './SearchField.tsx';

interface SidebarProps {
  readonly current: string | undefined;
  readonly connection: Connection;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly onNavigate: () => void;
  readonly onNewChat: () => void;
}

/** New chat, search, the stored conversations, and the chosen model. */
export function Sidebar({ current, connection, searchField, onNavigate, onNewChat }: SidebarProps): ReactElement {
  const { sessions: words, common, shell } = useTexts();
  const agent = useAgent();
  const isInstallable = useObservable(canInstall$, canInstall);
  const [search, setSearch] = useState('');
  return (
    <>
      <header className="brand">
        <BrookMark />
        <span>{common.app}</span>
        <Menu
          label={words.more}
          title={words.more}
          items={[
            { label: words.importFile, icon: 'upload', onSelect: () => openOverlay({ is: 'import' }) },
            { label: words.exportAll, icon: 'download', onSelect: () => void exportSessions(agent) },
            { label: words.openReview, icon: 'history', href: reviewHref({}) },
            ...(isInstallable
              ? [{ label: shell.install, icon: 'arrowDown' as const, onSelect: () => void install() }]
              : []),
            { label: words.help, icon: 'keyboard', onSelect: () => openOverlay({ is: 'help' }) },
          ]}
        />
      </header>
      <a
        className="new-chat"
        href={sessionHref(undefined)}
        aria-keyshortcuts={ariaKeys(keys.newChat)}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onNewChat();
        }}
      >
        <Icon name="plus" />
        <span>{common.newChat}</span>
        <kbd aria-hidden="true">{keyCaps(keys.newChat).join(' ')}</kbd>
      </a>
      <SearchField ref={searchField} value={search} onChange={setSearch} />
      <ErrorBoundary renderFallback={() => <p className="sessions hint bad">{shell.roomTitle}</p>}>
        <Suspense fallback={<div className="sessions" />}>
          <SessionList search={search} current={current} onNavigate={onNavigate} />
        </Suspense>
      </ErrorBoundary>
      <footer className="sidebar-foot">
        <WhoAnswers connection={connection} />
      </footer>
    </>
  );
}

/** The chosen model, and the way to the settings. */
function WhoAnswers({ connection }: { readonly connection: Connection }): ReactElement {
  const texts = useTexts();
  return (
    <button
      type="button"
      className="who"
      aria-keyshortcuts={ariaKeys(keys.settings)}
      onClick={() => openOverlay({ is: 'settings' })}
    >
      <ConnectionDot connection={connection} />
      <span className="who-text">
        <span className="visually-hidden">{texts.sessions.settings}: </span>
        <strong>{nameOf(connection, texts)}</strong> <small>{describeHost(connection, texts)}</small>
      </span>
      <Icon name="settings" />
    </button>
  );
}
