import type { ReactElement } from 'react';
import { useNow } from '../ui/useNow.ts';
import { onClock } from './duration.ts';

/** ms before its end at which the time left is marked. */
const soon = 60_000;

/** How long a person still has to decide. Not read out every second: it can be found, that is enough. */
export function TimeLeft({ until }: { readonly until: number }): ReactElement {
  const left = until - useNow();
  return (
    <span className={left < soon ? 'time-left soon' : 'time-left'} role="timer">
      {left > 0 ? `${onClock(left)} left` : 'Expired'}
    </span>
  );
}

/** How long something has been running. */
export function Elapsed({ since }: { readonly since: number }): ReactElement {
  return <span className="tool-time">{onClock(useNow() - since)}</span>;
}
