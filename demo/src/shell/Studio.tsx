import { useAgent, useObservable } from 'brooklet/react';
import { type ReactElement, useEffect, useRef } from 'react';
import { connection$, getConnection } from '../model/connection.ts';
import { Conversation } from '../conversation/Conversation.tsx';
import { getSessionId, goTo, route$ } from '../base/route.ts';
import { answerAgain } from '../sessions/actions.ts';
import { Sidebar } from '../sessions/Sidebar.tsx';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { PageBoundary } from '../ui/PageBoundary.tsx';
import { LockedNotice } from '../schedule/LockedNotice.tsx';
import { NetworkNotice } from './NetworkNotice.tsx';
import { openOverlay } from '../base/overlay.ts';
import { Overlays } from './Overlays.tsx';
import { preloadRooms } from '../base/room.ts';
import { useDrawer } from './useDrawer.ts';
import { useFileDrop } from './useFileDrop.ts';
import { useShellKeys } from './useShellKeys.ts';

/** The list of sessions, one conversation, and what lies over them. */
export function Studio(): ReactElement {
  const { shell: words, sessions } = useTexts();
  const sessionId = useObservable(route$, getSessionId);
  const connection = useObservable(connection$, getConnection);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { isNarrow, isOpen, drawer, menuButton, open, close, toggle } = useDrawer();
  const { isOver, ...drop } = useFileDrop((file) => openOverlay({ is: 'import', file }));

  const newChat = (): void => {
    close();
    goTo(undefined);
    // After the open drawer has restored the focus.
    requestAnimationFrame(() => composer.current?.focus());
  };

  const search = (): void => {
    open();
    requestAnimationFrame(() => drawer.current?.querySelector<HTMLElement>('[type=search]')?.focus());
  };

  const agent = useAgent();
  const actions = {
    sessionId,
    onNewChat: newChat,
    onSearch: search,
    onSidebar: toggle,
    onAnswerAgain: () => void answerAgain(agent, sessionId),
  };
  useShellKeys(actions);
  useEffect(preloadRooms, []);

  return (
    <div
      className={isNarrow ? (isOpen ? 'studio drawer-open' : 'studio') : isOpen ? 'studio' : 'studio sidebar-hidden'}
    >
      <button type="button" className="skip-link" onClick={() => composer.current?.focus()}>
        {words.skipToComposer}
      </button>
      <aside
        id="sessions"
        ref={drawer}
        className="sidebar"
        aria-label={words.openSessions}
        inert={!isOpen}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
        {...drop}
      >
        <Sidebar current={sessionId} connection={connection} onNavigate={close} onNewChat={newChat} />
        {isOver && (
          <p className="drop-here">
            <Icon name="upload" />
            <span>{sessions.drop}</span>
          </p>
        )}
      </aside>
      {/* For the pointer only: keyboard users close the drawer with Escape. */}
      <div className="scrim" aria-hidden="true" onClick={close} />
      <main id="main" className="main" tabIndex={-1} inert={isNarrow && isOpen}>
        <NetworkNotice />
        <LockedNotice />
        <PageBoundary shows={sessionId}>
          <Conversation
            sessionId={sessionId}
            connection={connection}
            composer={composer}
            onSettings={() => openOverlay({ is: 'settings' })}
            menu={
              <button
                ref={menuButton}
                type="button"
                className="quiet menu-button"
                aria-label={words.openSessions}
                aria-expanded={isOpen}
                aria-controls="sessions"
                onClick={open}
              >
                <Icon name="menu" />
              </button>
            }
          />
        </PageBoundary>
      </main>
      <Overlays connection={connection} {...actions} />
    </div>
  );
}
