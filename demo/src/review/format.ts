import { formatClock } from '../conversation/duration.ts';

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Formats a moment: its time, and the time since the start of the session. */
export function formatMoment(at: number, from: number): string {
  return `${clock.format(at)} (+${formatClock(at - from)})`;
}

/** Formats the time of day: `09:14:03`. */
export function formatTime(at: number): string {
  return time.format(at);
}

const numbers = new Intl.NumberFormat('en');

/** Formats a number of tokens: `1,234`. */
export function formatCount(count: number): string {
  return numbers.format(Math.round(count));
}

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

/** Formats US dollars: `$0.0042`. */
export function formatCost(cost: number): string {
  return dollars.format(cost);
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a day and its time: `22 Nov 2026, 09:14`. */
export function formatDate(at: number): string {
  return dates.format(at);
}
