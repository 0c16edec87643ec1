import { type RefObject, useEffect } from 'react';
import { focusedElement } from './focus.ts';
import { findHome, pathTo } from './focusHome.ts';

/**
 * Moves the focus on when the focused element disappears or is disabled; the browser would move it to the start of the page. The focus goes to
 * the summary of the `details` around the element, else to the next element around it with `data-focus-home`, else to the fallback.
 */
export function useFocusKeeper(
  container: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const root = container.current;
    if (!root) return undefined;
    /** The focused element, then the elements around it. */
    let path: readonly Element[] = [];

    const onFocusIn = ({ target }: FocusEvent): void =>
      void (path = target instanceof Element ? pathTo(target, root) : []);
    const onMutation = (): void => {
      const [focused, ...around] = path;
      if (focused === undefined || !isGone(focused) || !hasNoFocus(focused)) return;
      path = [];
      (findHome(around) ?? fallback.current)?.focus({ preventScroll: true });
    };
    const mutations = new MutationObserver(onMutation);
    mutations.observe(root, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden'] });
    root.addEventListener('focusin', onFocusIn);
    return () => {
      mutations.disconnect();
      root.removeEventListener('focusin', onFocusIn);
    };
  }, [container, fallback]);
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled') || element.closest('[hidden]') !== null;
}

/** Some browsers leave the focus on a disabled element, which then receives no keys. */
function hasNoFocus(lost: Element): boolean {
  const focused = focusedElement();
  return focused === null || focused === lost;
}
