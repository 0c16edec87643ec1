import type { RefObject } from 'react';
import { focusedElement } from './focus.ts';
import { findHome, pathTo } from './focusHome.ts';
import { usePageEffect } from './usePageEffect.ts';

/**
 * Moves the focus on when a part leaves the page with the focus in it, as a form does that a page shows until there is a key. It goes to the next element
 * around the part with `data-focus-home`, the field for a message in a chat.
 */
export function useFocusAfter(root: RefObject<HTMLElement | null>): void {
  usePageEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    // Runs before the part is removed: afterwards nothing shows where it was, and that it had the focus.
    return () => {
      if (!element.contains(focusedElement())) return;
      const [, ...around] = pathTo(element, document.documentElement);
      // Under StrictMode an effect ends without a removal.
      queueMicrotask(() => {
        if (!element.isConnected && focusedElement() === null) findHome(around)?.focus({ preventScroll: true });
      });
    };
  }, [root]);
}
