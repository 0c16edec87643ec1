import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { UnlockForm } from './UnlockForm.tsx';
import { needsUnlocking, useVault } from './vault.ts';

interface UnlockCardProps {
  /** Sends the request of the failed run again. */
  readonly onResume: () => void;
  readonly onSettings: () => void;
}

/** A message that waits for its key: unlocking sends it. */
export function UnlockCard({ onResume, onSettings }: UnlockCardProps): ReactElement {
  const { keys: words, run } = useAllTexts();
  const state = useVault();
  const isLocked = needsUnlocking(state);
  return (
    <div className="notice unlock-card">
      <Icon name="key" />
      <div>
        <strong role="alert">{isLocked ? words.lockedTitle : words.unlockedTitle}</strong>
        <p>{isLocked ? words.lockedText : words.unlockedText}</p>
        {isLocked ? (
          <UnlockForm label={words.unlockAndSend} onUnlocked={onResume} />
        ) : (
          <div className="notice-verbs">
            {state.keys.length > 0 && (
              <button type="button" className="primary" onClick={onResume}>
                {words.send}
              </button>
            )}
            <button type="button" onClick={onSettings}>
              {run.openSettings}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}
