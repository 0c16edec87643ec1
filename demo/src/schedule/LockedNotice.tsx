import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { openOverlay } from '../base/overlay.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { getWaiting, waiting$ } from './watchSchedules.ts';

/** States how many planned messages wait for locked keys, and offers to unlock them. */
export function LockedNotice(): ReactElement {
  const { shell, composer } = useTexts();
  const count = useObservable(waiting$, getWaiting);
  return (
    <output className="network-notice">
      {count > 0 && (
        <span className="strip">
          <Icon name="alert" />
          <span>
            {shell.plannedLocked(count)}{' '}
            <button type="button" className="link" onClick={() => openOverlay({ is: 'unlock' })}>
              {composer.unlock}
            </button>
          </span>
        </span>
      )}
    </output>
  );
}
