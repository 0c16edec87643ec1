import type { ReactElement } from 'react';
import { goTo } from '../route.ts';

interface BrokenPageProps {
  /** The rendering error. */
  readonly message: string;
  /** Renders the page again. */
  readonly onRetry: () => void;
}

/** Shown in place of a page that cannot be rendered. The conversations are stored. */
export function BrokenPage({ message, onRetry }: BrokenPageProps): ReactElement {
  return (
    <div className="broken" role="alert">
      <h2>This page has failed</h2>
      <p>{message}</p>
      <p>Your conversations are saved.</p>
      <div className="buttons">
        <button
          type="button"
          className="primary"
          onClick={() => {
            goTo(undefined);
            onRetry();
          }}
        >
          New chat
        </button>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}
