import { type RefObject, useEffect, useRef } from 'react';
import { isComposing } from './isComposing.ts';
import { usePageEffect } from './usePageEffect.ts';

/** Fields in which Escape must not stop the run: the person leaves the field, or the browser clears it. */
const fields = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]';

/**
 * Stops what runs on Escape, wherever the focus is in the page. Not from within another chat, not while a dialog is open, and never where something typed would be lost:
 * in another field than that of the message, and while a decision or an answer (`data-typed`) has been begun.
 *
 * @param stop `undefined` while nothing runs
 */
export function useEscape(container: RefObject<HTMLElement | null>, stop: (() => void) | undefined): void {
  const latest = useRef(stop);
  usePageEffect(() => void (latest.current = stop));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const root = container.current;
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || !root || !latest.current) return;
      if (root.closest('[inert]') || document.querySelector('dialog[open]') || root.querySelector('[data-typed]'))
        return;
      const [target] = event.composedPath();
      if (target instanceof Element) {
        if (target.matches(fields) && !target.hasAttribute('data-focus-home')) return;
        const chat = target.closest('[data-part=chat]');
        if (chat !== null && chat !== root) return;
      }
      latest.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [container]);
}
