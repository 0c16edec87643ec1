import { formatClock } from '../conversation/duration.ts';
import type { ReviewTexts } from '../texts/en/review.ts';

type Locales = Pick<ReviewTexts, 'locale' | 'dateLocale'>;

function formatsOf({ locale, dateLocale }: Locales) {
  return {
    clock: new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' }),
    time: new Intl.DateTimeFormat(dateLocale, { timeStyle: 'medium' }),
    date: new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }),
    number: new Intl.NumberFormat(locale),
    dollars: new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 }),
  };
}

const known = new WeakMap<Locales, ReturnType<typeof formatsOf>>();

/** Returns the formats of a language, made once: making one costs more than a hundred uses. */
function formats(words: Locales): ReturnType<typeof formatsOf> {
  const made = known.get(words) ?? formatsOf(words);
  known.set(words, made);
  return made;
}

/** Formats a moment: its time, and the time since the start of the session. */
export function formatMoment(words: Locales, at: number, from: number): string {
  return `${formats(words).clock.format(at)} (+${formatClock(at - from)})`;
}

/** Formats the time of day: `09:14:03`. */
export function formatTime(words: Locales, at: number): string {
  return formats(words).time.format(at);
}

/** Formats a number of tokens: `1,234`. */
export function formatCount(words: Locales, count: number): string {
  return formats(words).number.format(Math.round(count));
}

/** Formats US dollars: `$0.0042`. */
export function formatCost(words: Locales, cost: number): string {
  return formats(words).dollars.format(cost);
}

/** Formats a day and its time: `22 Nov 2026, 09:14`. */
export function formatDate(words: Locales, at: number): string {
  return formats(words).date.format(at);
}
