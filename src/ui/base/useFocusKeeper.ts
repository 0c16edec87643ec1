import { type RefObject, useEffect } from 'react';
import { focusedElement } from './focus.ts';
import { matches } from './useMedia.ts';

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

function pathTo(target: Element, root: HTMLElement): readonly Element[] {
  const path: Element[] = [];
  for (let at: Element | null = target; at !== null && at !== root.parentElement; at = at.parentElement) path.push(at);
  return path;
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled') || element.closest('[hidden]') !== null;
}

/** Some browsers leave the focus on a disabled element, which then receives no keys. */
function hasNoFocus(lost: Element): boolean {
  const focused = focusedElement();
  return focused === null || focused === lost;
}

function findHome(around: readonly Element[]): HTMLElement | null {
  // On a touch screen the focus in a text field opens the keyboard, which covers the conversation.
  const hasKeyboard = matches('(hover: hover)');
  for (const element of around) {
    if (!element.isConnected) continue;
    if (element.matches('details')) return element.querySelector<HTMLElement>(':scope > summary');
    const home = hasKeyboard ? element.querySelector<HTMLElement>('[data-focus-home]') : null;
    if (home) return home;
  }
  return null;
}
