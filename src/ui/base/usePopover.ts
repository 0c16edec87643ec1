import { useEffect, useRef } from 'react';
import type { ElementRef } from './ElementRef.ts';
import { usePageEffect } from './usePageEffect.ts';

/** px to the edges of the window. */
const margin = 8;

/**
 * Shows an element beside its opener, in the top layer, so that no box cuts it off; on a narrow screen the style sheet decides where. It stays at
 * its opener while the page scrolls, and when a keyboard appears.
 *
 * @param onLeave called when the person presses outside of it, or goes to another page by Back: the focus is elsewhere then
 */
export function usePopover(opener: HTMLElement, onLeave: () => void): ElementRef<HTMLDivElement> {
  const popover = useRef<HTMLDivElement>(null);
  const leave = useRef(onLeave);
  useEffect(() => void (leave.current = onLeave));

  usePageEffect(() => {
    const element = popover.current;
    if (!element) return undefined;
    // Browsers without popovers show the element in its place.
    element.popover = 'manual';
    if (!element.matches(':popover-open')) element.showPopover?.();
    const move = (): void => place(element, opener);
    const onPointerDown = (event: PointerEvent): void => {
      const path = event.composedPath();
      if (!path.includes(element) && !path.includes(opener)) leave.current();
    };
    const onVisit = (): void => leave.current();
    move();
    addEventListener('popstate', onVisit);
    addEventListener('resize', move);
    addEventListener('scroll', move, { capture: true, passive: true });
    addEventListener('pointerdown', onPointerDown, true);
    return () => {
      removeEventListener('popstate', onVisit);
      removeEventListener('resize', move);
      removeEventListener('scroll', move, { capture: true });
      removeEventListener('pointerdown', onPointerDown, true);
    };
  }, [opener]);
  return popover;
}

/** Below the opener, or above it where there is more room, within the window. Without the attribute `style`: by properties, which a policy allows. */
function place(element: HTMLElement, opener: HTMLElement): void {
  const button = opener.getBoundingClientRect();
  const above = button.top - 2 * margin;
  const below = innerHeight - button.bottom - 2 * margin;
  const { width } = element.getBoundingClientRect();
  // `scrollHeight`: the height without the limit that was set before.
  const isBelow = element.scrollHeight <= below || below >= above;
  const isRightToLeft = getComputedStyle(opener).direction === 'rtl';
  const start = isRightToLeft ? button.right - width : button.left;
  const left = Math.max(margin, Math.min(start, innerWidth - width - margin));
  element.style.setProperty('--bk-left', `${left}px`);
  element.style.setProperty('--bk-top', isBelow ? `${button.bottom + 4}px` : 'auto');
  element.style.setProperty('--bk-bottom', isBelow ? 'auto' : `${innerHeight - button.top + 4}px`);
  element.style.setProperty('--bk-room', `${Math.max(isBelow ? below : above, 96)}px`);
}
