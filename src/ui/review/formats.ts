import { formatClock } from '../base/duration.ts';
import type { ReviewLabels } from './labels/english.ts';

/** Numbers, moments and costs in one language. */
export interface Formats {
  /** A moment: its time, and the time since the start of the session. */
  moment(at: number, from: number): string;
  /** The time of day: `09:14:03`. */
  time(at: number): string;
  /** A day and its time: `22 Nov 2026, 09:14`. */
  date(at: number): string;
  /** `1,234` */
  count(count: number): string;
  /** US dollars: `$0.0042`. */
  cost(cost: number): string;
}

/** Returns the formats of a language. Each is made when it is first used: making one costs more than a hundred uses. */
export function toFormats({ numbers, dates }: ReviewLabels['locale']): Formats {
  const clock = once(() => new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeStyle: 'medium' }));
  const time = once(() => new Intl.DateTimeFormat(dates, { timeStyle: 'medium' }));
  const date = once(() => new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeStyle: 'short' }));
  const number = once(() => new Intl.NumberFormat(numbers));
  const dollars = once(
    () => new Intl.NumberFormat(numbers, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 }),
  );
  return {
    moment: (at, from) => `${shown(clock(), at)} (+${formatClock(at - from)})`,
    time: (at) => shown(time(), at),
    date: (at) => shown(date(), at),
    count: (count) => number().format(Math.round(count)),
    cost: (cost) => dollars().format(cost),
  };
}

/** A forged log may have a time that no calendar has. */
function shown(format: Intl.DateTimeFormat, at: number): string {
  return Number.isNaN(new Date(at).getTime()) ? String(at) : format.format(at);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
