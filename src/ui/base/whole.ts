import { type Context, createContext, useCallback, useContext, useState, useSyncExternalStore } from 'react';

/** For the messages inside: whether everything is shown, as in a print. Default: what is long is folded. */
export const WholeContext: Context<boolean> = createContext(false);

/** Returns whether everything is shown, and nothing folded. */
export function useWhole(): boolean {
  return useContext(WholeContext);
}

/** Returns whether the page is being printed. */
export function usePrinting(): boolean {
  const [state] = useState(() => ({ isPrinting: false }));
  const subscribe = useCallback(
    (notify: () => void) => {
      const set = (isPrinting: boolean) => () => {
        state.isPrinting = isPrinting;
        notify();
      };
      const [begin, end] = [set(true), set(false)];
      addEventListener('beforeprint', begin);
      addEventListener('afterprint', end);
      return () => {
        removeEventListener('beforeprint', begin);
        removeEventListener('afterprint', end);
      };
    },
    [state],
  );
  // A store, not a state: its change is rendered before the browser lays the page out for the printer.
  return useSyncExternalStore(
    subscribe,
    () => state.isPrinting,
    () => false,
  );
}
