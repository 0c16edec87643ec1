import { useObservable } from 'brooklet/react';
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import { connection$, getConnection } from './connection.ts';
import { Conversation } from './conversation/Conversation.tsx';
import { getReviewPath, getSessionId, goTo, route$ } from './route.ts';
import { Sidebar } from './sessions/Sidebar.tsx';
import { SettingsDialog } from './settings/SettingsDialog.tsx';
import { Icon } from './ui/Icon.tsx';
import { PageBoundary } from './ui/PageBoundary.tsx';
import { useIsNarrow } from './ui/useIsNarrow.ts';

const ReviewPage = lazy(async () => ({ default: (await import('./review/ReviewPage.tsx')).ReviewPage }));

/** The page of the address: the conversations, or the review of one. */
export function App(): ReactElement {
  const path = useObservable(route$, getReviewPath);
  if (path === undefined) return <Studio />;
  return (
    <PageBoundary shows={path}>
      <Suspense fallback={<p className="hint loading">Opening…</p>}>
        <ReviewPage path={path} />
      </Suspense>
    </PageBoundary>
  );
}

/** The list of sessions, one conversation, and the settings. */
function Studio(): ReactElement {
  const sessionId = useObservable(route$, getSessionId);
  const connection = useObservable(connection$, getConnection);
  const isNarrow = useIsNarrow();
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  const drawerOpen = isNarrow && isDrawerOpen;

  const closeDrawer = (): void => setIsDrawerOpen(false);

  const newChat = (): void => {
    setIsDrawerOpen(false);
    goTo(undefined);
    // After the open drawer has restored the focus.
    requestAnimationFrame(() => composer.current?.focus());
  };

  useEffect(() => {
    if (!drawerOpen) return undefined;
    const opener = menuButton.current;
    drawer.current?.querySelector('a')?.focus();
    return () => opener?.focus();
  }, [drawerOpen]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      newChat();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });

  return (
    <div className={drawerOpen ? 'studio drawer-open' : 'studio'}>
      <aside
        id="sessions"
        ref={drawer}
        className="sidebar"
        inert={isNarrow && !isDrawerOpen}
        onKeyDown={(event) => {
          if (event.key === 'Escape') closeDrawer();
        }}
      >
        <Sidebar
          current={sessionId}
          connection={connection}
          onNavigate={() => setIsDrawerOpen(false)}
          onNewChat={newChat}
          onSettings={() => setIsSettingsOpen(true)}
        />
      </aside>
      {/* For the pointer only: keyboard users close the drawer with Escape. */}
      <div className="scrim" aria-hidden="true" onClick={closeDrawer} />
      <main className="main" inert={drawerOpen}>
        <PageBoundary shows={sessionId}>
          <Conversation
            sessionId={sessionId}
            connection={connection}
            composer={composer}
            onSettings={() => setIsSettingsOpen(true)}
            menu={
              <button
                ref={menuButton}
                type="button"
                className="quiet menu-button"
                aria-label="Sessions"
                aria-expanded={drawerOpen}
                aria-controls="sessions"
                onClick={() => setIsDrawerOpen(true)}
              >
                <Icon name="menu" />
              </button>
            }
          />
        </PageBoundary>
      </main>
      {isSettingsOpen && (
        <SettingsDialog connection={connection} sessionId={sessionId} onClose={() => setIsSettingsOpen(false)} />
      )}
    </div>
  );
}
