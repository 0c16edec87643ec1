import { useObservable } from 'brooklet/react';
import { ErrorBoundary } from 'brooklet/ui';
import { type ReactElement, Suspense } from 'react';
import type { Connection } from '../model/connection.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Modal } from '../ui/Modal.tsx';
import type { ShellActions } from '../base/shortcuts.ts';
import { closeOverlay, getOverlay, overlay$ } from '../base/overlay.ts';
import { useCloseOnVisit } from './useCloseOnVisit.ts';
import {
  ChatSettingsDialog,
  HelpDialog,
  ImportDialog,
  LaterDialog,
  Palette,
  SettingsDialog,
  ShareDialog,
  UnlockDialog,
} from './rooms.ts';

interface OverlaysProps extends ShellActions {
  readonly connection: Connection;
}

/** The dialog that is open, loaded when it is opened. */
export function Overlays(props: OverlaysProps): ReactElement | null {
  const overlay = useObservable(overlay$, getOverlay);
  useCloseOnVisit(overlay);
  if (overlay.is === 'none') return null;
  return (
    <ErrorBoundary shows={overlay} renderFallback={() => <RoomUnavailable />}>
      <Suspense fallback={null}>
        <OpenOverlay {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function OpenOverlay({ connection, ...actions }: OverlaysProps): ReactElement | null {
  const overlay = useObservable(overlay$, getOverlay);
  switch (overlay.is) {
    case 'none':
      return null;
    case 'palette':
      return <Palette {...actions} onClose={closeOverlay} />;
    case 'help':
      return <HelpDialog onClose={closeOverlay} />;
    case 'unlock':
      return <UnlockDialog onClose={closeOverlay} />;
    case 'settings':
      return (
        <SettingsDialog
          connection={connection}
          sessionId={actions.sessionId}
          section={overlay.section}
          onClose={closeOverlay}
        />
      );
    case 'chat':
      return (
        <ChatSettingsDialog
          key={overlay.sessionId ?? 'new'}
          sessionId={overlay.sessionId}
          connection={connection}
          onClose={closeOverlay}
        />
      );
    case 'later':
      return <LaterDialog sessionId={overlay.sessionId} onClose={closeOverlay} />;
    case 'share':
      return <ShareDialog session={overlay.session} onClose={closeOverlay} />;
    case 'import':
      return <ImportDialog file={overlay.file} onClose={closeOverlay} />;
  }
}

/** Shown in place of a dialog whose code cannot be loaded, for example after a deploy. */
function RoomUnavailable(): ReactElement {
  const { shell, common } = useTexts();
  return (
    <Modal title={shell.roomTitle} role="alertdialog" onClose={closeOverlay}>
      <p>{shell.roomText}</p>
      <div className="modal-verbs">
        <button type="button" onClick={closeOverlay}>
          {common.close}
        </button>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {common.reload}
        </button>
      </div>
    </Modal>
  );
}
