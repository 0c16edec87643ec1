import type { ReactElement } from 'react';
import { formatClock } from './duration.ts';
import { useNow } from './useNow.ts';

/** How long something has been under way. */
export function Elapsed({ since }: { readonly since: number }): ReactElement {
  return <span className="bk-time">{formatClock(useNow() - since)}</span>;
}

interface TimeLeftProps {
  /** ms since the epoch */
  readonly until: number;
  readonly label: (clock: string) => string;
  readonly endLabel: string;
}

/** ms before the end from which on the time left is highlighted. */
const soon = 60_000;

/** The time that is left. Not a live region: a screen reader would announce every second. */
export function TimeLeft({ until, label, endLabel }: TimeLeftProps): ReactElement {
  const left = until - useNow();
  return (
    <span className="bk-time" data-state={left < soon ? 'soon' : undefined} role="timer">
      {left > 0 ? label(formatClock(left)) : endLabel}
    </span>
  );
}
