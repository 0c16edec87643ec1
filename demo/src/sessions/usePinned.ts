import type { SessionSummary } from 'brooklet';
import { useAgent } from 'brooklet/react';
import { useEffect, useState } from 'react';
import { auditTime } from 'rxjs';
import { pinnedOnly } from './metadata.ts';

const none: readonly SessionSummary[] = [];
/** ms between two readings. */
const pause = 300;

/** Returns the pinned sessions, however old, most recently changed first. */
export function usePinned(): readonly SessionSummary[] {
  const { store } = useAgent();
  const [pinned, setPinned] = useState(none);
  useEffect(() => {
    if (!store) return undefined;
    let isMounted = true;
    const read = (): void => {
      store.list({ where: pinnedOnly, limit: 100 }).then(
        ({ sessions }) => isMounted && setPinned(sessions),
        // The list of all sessions shows the error.
        () => {},
      );
    };
    read();
    const subscription = store.changes$.pipe(auditTime(pause)).subscribe(read);
    return () => {
      isMounted = false;
      subscription.unsubscribe();
    };
  }, [store]);
  return pinned;
}
