import { ErrorBoundary, RunNotice as Base, type RunNoticeProps } from 'brooklet/ui';
import { type ReactElement, Suspense } from 'react';
import { goTo } from '../base/route.ts';
import { openOverlay } from '../base/overlay.ts';
import { UnlockCard } from './rooms.ts';
import { useTexts } from '../texts/useTexts.ts';

export interface StudioNoticeProps extends Pick<RunNoticeProps, 'chat' | 'billingURL'> {
  readonly onSettings: () => void;
}

/** How the last run ended, and what helps: where a key is locked the form that unlocks it, where a conversation is gone what opens a backup. */
export function RunNotice({ chat, billingURL, onSettings }: StudioNoticeProps): ReactElement {
  const { run: words } = useTexts();
  const { status, error } = chat;
  const plain = (
    <Base
      chat={chat}
      billingURL={billingURL}
      onSettings={onSettings}
      onNewChat={() => goTo(undefined)}
      renderButtons={(failed) =>
        failed?.code === 'SESSION_NOT_FOUND' && (
          <button
            type="button"
            className="bk-button"
            data-state="primary"
            onClick={() => openOverlay({ is: 'import' })}
          >
            {words.openBackup}
          </button>
        )
      }
    />
  );
  if ((status !== 'failed' && status !== 'interrupted') || error?.code !== 'AUTHENTICATION_LOCKED') return plain;
  return (
    <ErrorBoundary shows={error} renderFallback={() => plain}>
      <Suspense fallback={null}>
        <UnlockCard onResume={() => void chat.resume()} onSettings={onSettings} />
      </Suspense>
    </ErrorBoundary>
  );
}
