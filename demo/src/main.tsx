import { AgentProvider } from 'brooklet/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { clientSet, startAgent, toolsAdded } from './agent/agent.ts';
import { App } from './App.tsx';
import { restoreConnection } from './model/connection.ts';
import { watchEncryption } from './base/encryption.ts';
import { keepConversations } from './sessions/keepConversations.ts';
import { titleChats } from './sessions/titleChats.ts';
import { watchNotifications } from './notify/notifications.ts';
import { watchInstall } from './pwa/install.ts';
import { watchSchedules } from './schedule/watchSchedules.ts';
import { followLanguage } from './texts/language.ts';
import { followTheme } from './base/theme.ts';
import { PageBoundary } from './ui/PageBoundary.tsx';

followTheme();
restoreConnection();
watchInstall();
watchEncryption();

void show();

// After the page: what works offline is loaded beside it.
if (document.readyState === 'complete') void offerUpdates();
else addEventListener('load', () => void offerUpdates(), { once: true });

async function offerUpdates(): Promise<void> {
  const { offerUpdates: offer } = await import('./pwa/offerUpdates.ts');
  offer();
}

/**
 * Shows the page, without a wait where the language is English. Invariant: no module of Studio waits while it is evaluated. WebKit runs a module
 * too early where several `import()` meet in a module that waits (webkit.org/b/242740).
 */
async function show(): Promise<void> {
  await followLanguage();
  const root = document.getElementById('studio');
  if (/[?&]state=/u.test(location.search)) {
    // The window of a sign-in at a server.
    const { endSignIn } = await import('./mcp/signedIn.ts');
    endSignIn();
  } else if (root) {
    const agent = await startAgent();
    void toolsAdded();
    keepConversations(agent);
    titleChats(agent);
    watchNotifications(agent);
    void watchSchedules(agent, () => Promise.all([toolsAdded(), clientSet()]));
    createRoot(root).render(
      <StrictMode>
        <PageBoundary>
          <AgentProvider agent={agent}>
            <App />
          </AgentProvider>
        </PageBoundary>
      </StrictMode>,
    );
  }
}
