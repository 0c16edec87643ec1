import { type QueryClient, QueryClientContext } from '@tanstack/react-query';
import { useContext } from 'react';
import { AgentError } from '../../core/error.ts';

/**
 * Returns the QueryClient of the nearest `QueryClientProvider`.
 *
 * @throws AgentError `INVALID_CONFIG` outside of a `QueryClientProvider`
 */
export function useListClient(hook: string): QueryClient {
  const queryClient = useContext(QueryClientContext);
  if (queryClient === undefined) {
    throw new AgentError(
      `${hook} found no QueryClient: put <QueryClientProvider client={queryClient}> of @tanstack/react-query around this component.`,
      { code: 'INVALID_CONFIG' },
    );
  }
  return queryClient;
}
