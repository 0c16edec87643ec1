import { ErrorBoundary } from 'brooklet/ui';
import type { ReactElement, ReactNode } from 'react';
import { BrokenPage } from './BrokenPage.tsx';

interface PageBoundaryProps {
  readonly children: ReactNode;
  /** What the page shows. The page is rendered again when this value changes. */
  readonly shows?: unknown;
}

/** Shows `BrokenPage` in place of a page that cannot be rendered. */
export function PageBoundary({ children, shows }: PageBoundaryProps): ReactElement {
  return (
    <ErrorBoundary shows={shows} renderFallback={(message, retry) => <BrokenPage message={message} onRetry={retry} />}>
      {children}
    </ErrorBoundary>
  );
}
