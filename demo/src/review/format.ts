import { formatClock } from '../conversation/duration.ts';

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats a moment: its time, and the time since the start of the session. */
export function formatMoment(at: number, from: number): string {
  return `${clock.format(at)} (+${formatClock(at - from)})`;
}

const numbers = new Intl.NumberFormat('en');

/** Formats a number of tokens: `1,234`. */
export function formatCount(count: number): string {
  return numbers.format(count);
}
