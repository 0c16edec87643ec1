import { matches } from './useMedia.ts';

/** Returns an element and those around it, up to a root. */
export function pathTo(target: Element, root: Element): readonly Element[] {
  const path: Element[] = [];
  for (let at: Element | null = target; at !== null && at !== root.parentElement; at = at.parentElement) path.push(at);
  return path;
}

/** Returns where the focus goes on: the summary of the first `details`, or the first element with `data-focus-home`, in elements from the inside out. */
export function findHome(around: readonly Element[]): HTMLElement | null {
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
