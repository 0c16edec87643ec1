import { useAgent, useObservable } from 'brooklet/react';
import { ErrorBoundary, Menu } from 'brooklet/ui';
import { type ReactElement, Suspense } from 'react';
import { type Connection, describeHost, nameOf } from '../model/connection.ts';
import { canInstall, canInstall$, install } from '../pwa/install.ts';
import { reviewHref, sessionHref } from '../base/route.ts';
import { ariaKeys, keyCaps, keys } from '../base/shortcuts.ts';
import { ConnectionDot } from '../model/ConnectionDot.tsx';
import { openOverlay } from '../base/overlay.ts';
import { Conversations } from './rooms.ts';
import { useTexts } from '../texts/useTexts.ts';
import { BrookMark } from '../ui/Brook.tsx';
import { Icon } from '../ui/Icon.tsx';
import { exportSessions } from './actions.ts';

interface SidebarProps {
  readonly current: string | undefined;
  readonly connection: Connection;
  readonly onNavigate: () => void;
  readonly onNewChat: () => void;
}

/** New chat, search, the stored conversations, and the chosen model. */
export function Sidebar({ current, connection, onNavigate, onNewChat }: SidebarProps): ReactElement {
  const { sessions: words, common, shell } = useTexts();
  const agent = useAgent();
  const isInstallable = useObservable(canInstall$, canInstall);
  return (
    <>
      <header className="brand">
        <BrookMark />
        <span>{common.app}</span>
        <Menu
          label={words.more}
          lines={[
            {
              name: 'import',
              label: words.importFile,
              icon: <Icon name="upload" />,
              onSelect: () => openOverlay({ is: 'import' }),
            },
            {
              name: 'export',
              label: words.exportAll,
              icon: <Icon name="download" />,
              onSelect: () => void exportSessions(agent),
            },
            { name: 'review', label: words.openReview, icon: <Icon name="history" />, href: reviewHref({}) },
            ...(isInstallable
              ? [
                  {
                    name: 'install',
                    label: shell.install,
                    icon: <Icon name="arrowDown" />,
                    onSelect: () => void install(),
                  },
                ]
              : []),
            {
              name: 'help',
              label: words.help,
              icon: <Icon name="keyboard" />,
              onSelect: () => openOverlay({ is: 'help' }),
            },
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
      <ErrorBoundary renderFallback={() => <p className="no-list hint bad">{shell.roomTitle}</p>}>
        <Suspense fallback={<div className="no-list" />}>
          <Conversations current={current} onNavigate={onNavigate} />
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
