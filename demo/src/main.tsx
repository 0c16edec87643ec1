import { AgentProvider } from 'brooklet/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { agent } from './agent.ts';
import { App } from './App.tsx';
import { restoreConnection } from './connection.ts';
import { applyTheme, getTheme } from './theme.ts';
import { ErrorBoundary } from './ui/ErrorBoundary.tsx';

applyTheme(getTheme());
restoreConnection();

const root = document.getElementById('studio');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <AgentProvider agent={agent}>
          <App />
        </AgentProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}
