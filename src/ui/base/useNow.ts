import { useSyncExternalStore } from 'react';

function everySecond(notify: () => void): () => void {
  const timer = setInterval(notify, 1_000);
  return () => clearInterval(timer);
}

const wholeSecond = (): number => Math.floor(Date.now() / 1_000) * 1_000;

/** Returns the ms since the epoch, in whole seconds. Renders its component once a second: use it in small components. */
export function useNow(): number {
  return useSyncExternalStore(everySecond, wholeSecond, wholeSecond);
}
