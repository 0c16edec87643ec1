import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { fromEvent, merge } from 'rxjs';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';

const change$ = merge(fromEvent(window, 'online'), fromEvent(window, 'offline'));

/** States that the network is gone, and what works without it. */
export function NetworkNotice(): ReactElement {
  const { shell: words } = useTexts();
  const isOnline = useObservable(change$, () => navigator.onLine);
  return (
    <output className="network-notice">
      {!isOnline && (
        <span className="strip">
          <Icon name="alert" />
          <span>{words.offline}</span>
        </span>
      )}
    </output>
  );
}
