import type { ReactElement } from 'react';
import { useNow } from '../ui/useNow.ts';
import { formatClock } from './duration.ts';
import { useTexts } from '../texts/useTexts.ts';

/** ms before the deadline from which on the time left is highlighted. */
const soon = 60_000;

/** The time that is left for a decision. Not a live region: a screen reader would announce every second. */
export function TimeLeft({ until }: { readonly until: number }): ReactElement {
  const { approval: text } = useTexts();
  const left = until - useNow();
  return (
    <span className={left < soon ? 'time-left soon' : 'time-left'} role="timer">
      {left > 0 ? text.left(formatClock(left)) : text.expired}
    </span>
  );
}

/** How long a call has been running. */
export function Elapsed({ since }: { readonly since: number }): ReactElement {
  return <span className="tool-time">{formatClock(useNow() - since)}</span>;
}
