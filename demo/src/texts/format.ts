import type { Texts } from './en/en.ts';

type Locale = Pick<Texts, 'locale'>;

/** `12,345`; from 10,000 on `12K`. */
export function formatCount({ locale }: Locale, count: number): string {
  const compact = count >= 10_000 ? ({ notation: 'compact', maximumFractionDigits: 1 } as const) : {};
  return new Intl.NumberFormat(locale, compact).format(count);
}

/** `$0.0042`: two digits that count, at least cents. */
export function formatCost({ locale }: Locale, dollars: number): string {
  const digits = dollars >= 1 || dollars === 0 ? 2 : 4;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(dollars);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `3.4 MB`, in powers of 1,000. */
export function formatBytes({ locale }: Locale, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

/** The time for today, the day and month for this year, else the date. `now`: ms since the epoch. */
export function formatMoment({ locale }: Locale, moment: number, now: number): string {
  const [then, today] = [new Date(moment), new Date(now)];
  if (then.toDateString() === today.toDateString()) return then.toLocaleTimeString(locale, { timeStyle: 'short' });
  const isThisYear = then.getFullYear() === today.getFullYear();
  return then.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
}
