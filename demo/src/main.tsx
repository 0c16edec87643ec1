import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { AgentProvider } from 'brooklet/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { agent } from './agent.ts';
import { App } from './App.tsx';
import { restoreConnection } from './connection.ts';
import { applyLanguage, getLanguage } from './texts/language.ts';
import { applyTheme, getTheme } from './theme.ts';
import { PageBoundary } from './ui/PageBoundary.tsx';

applyTheme(getTheme());
restoreConnection();

/** For the lists of sessions and of approval rules. */
const queryClient = new QueryClient();

// Without a wait where the language is English.
await applyLanguage(getLanguage());

const root = document.getElementById('studio');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PageBoundary>
        <QueryClientProvider client={queryClient}>
          <AgentProvider agent={agent}>
            <App />
          </AgentProvider>
        </QueryClientProvider>
      </PageBoundary>
    </StrictMode>,
  );
}
