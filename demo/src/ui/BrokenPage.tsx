import type { ReactElement } from 'react';
import { goTo } from '../base/route.ts';
import { useTexts } from '../texts/useTexts.ts';

interface BrokenPageProps {
  /** The rendering error. */
  readonly message: string;
  /** Renders the page again. */
  readonly onRetry: () => void;
}

/** What the browsers say where code cannot be loaded: Chromium, Firefox and Safari. */
const unloaded = /dynamically imported module|Importing a module script failed/iu;

/** Shown in place of a page that cannot be rendered. The conversations are stored. */
export function BrokenPage({ message, onRetry }: BrokenPageProps): ReactElement {
  const { shell, common } = useTexts();
  const isUnloaded = unloaded.test(message);
  const isOffline = isUnloaded && !navigator.onLine;
  return (
    <div className="broken" role="alert">
      <h2>{isUnloaded ? shell.roomTitle : shell.brokenTitle}</h2>
      <p>{isOffline ? shell.roomOffline : isUnloaded ? shell.roomText : message}</p>
      <p>{shell.brokenSaved}</p>
      <div className="buttons">
        <button
          type="button"
          className={isUnloaded && !isOffline ? undefined : 'primary'}
          onClick={() => {
            goTo(undefined);
            onRetry();
          }}
        >
          {common.newChat}
        </button>
        {!isOffline && (
          <button type="button" className={isUnloaded ? 'primary' : undefined} onClick={() => location.reload()}>
            {common.reload}
          </button>
        )}
      </div>
    </div>
  );
}
