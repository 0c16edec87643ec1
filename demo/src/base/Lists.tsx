import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';

/** For the lists of sessions and of approval rules. */
const queryClient = new QueryClient();

/** Surrounds what shows a list. Loaded with the first of them, since a conversation needs no list. */
export function Lists({ children }: { readonly children: ReactNode }): ReactElement {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
