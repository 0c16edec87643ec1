import type { ReactElement } from 'react';
import type { Connection } from '../model/connection.ts';
import { openOverlay } from '../base/overlay.ts';
import { useTexts } from '../texts/useTexts.ts';

interface ComposerNoteProps {
  readonly connection: Connection;
  readonly onSettings: () => void;
}

/** Which model answers, and what the user has to know about it. */
export function ComposerNote({ connection, onSettings }: ComposerNoteProps): ReactElement {
  const { composer: words } = useTexts();
  switch (connection.kind) {
    case 'locked':
      return (
        <>
          {words.keysLocked}{' '}
          <button key="unlock" type="button" className="link" onClick={() => openOverlay({ is: 'unlock' })}>
            {words.unlock}
          </button>
        </>
      );
    case 'keyless':
      return (
        <>
          {(connection.wasCleared ? words.cleared : words.noKeyYet)(new URL(connection.endpoint.baseURL).host)}{' '}
          <button key="settings" type="button" className="link" onClick={onSettings}>
            {words.enterKey}
          </button>
        </>
      );
    case 'offline':
      return (
        <>
          <strong>{words.offline}</strong>
          {words.offlineHint}{' '}
          <button key="connect" type="button" className="link" onClick={onSettings}>
            {words.connect}
          </button>
        </>
      );
    case 'browser':
    case 'model':
      return <>{words.mistakes}</>;
  }
}
