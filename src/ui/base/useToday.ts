import { useSyncExternalStore } from 'react';

function everyMinute(notify: () => void): () => void {
  const timer = setInterval(notify, 60_000);
  return () => clearInterval(timer);
}

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0);

/** Returns the start of today, in ms since the epoch; changes at midnight. */
export function useToday(): number {
  return useSyncExternalStore(everyMinute, startOfToday, startOfToday);
}
