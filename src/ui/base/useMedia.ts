import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches now; `false` on a server, and where the environment has no media queries. */
export function matches(query: string): boolean {
  return typeof matchMedia === 'function' && matchMedia(query).matches;
}

/** A screen that is touched and has no keyboard beside it. */
export const touchScreen = '(hover: none) and (pointer: coarse)';

/** Returns whether a media query matches. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      if (typeof matchMedia !== 'function') return () => {};
      const list = matchMedia(query);
      list.addEventListener('change', notify);
      return () => list.removeEventListener('change', notify);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matches(query),
    () => false,
  );
}
