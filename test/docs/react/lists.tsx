import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';

const queryClient = new QueryClient();

createRoot(document.body).render(
  <QueryClientProvider client={queryClient}>
    <AgentProvider agent={agent}>
      <Chat />
    </AgentProvider>
  </QueryClientProvider>,
);

declare const agent: Agent;
declare const Chat: ComponentType;

// What the sample leaves to its page.
import type { Agent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import type { ComponentType } from 'react';
