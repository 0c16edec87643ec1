const time = { timeStyle: 'short' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const date = { ...day, year: 'numeric' } as const;

/** Returns the time of today, the day and the month of this year, else the date. `today`: the start of today, in ms since the epoch. */
export function shortDate(locale: string, at: number, today: number): string {
  const then = new Date(at);
  if (at >= today) return then.toLocaleTimeString(locale, time);
  return then.toLocaleDateString(locale, then.getFullYear() === new Date(today).getFullYear() ? day : date);
}
