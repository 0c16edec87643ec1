import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isComposing } from '../ui/isComposing.ts';

/** Fields in which Escape must not stop the run: the user leaves the field, or the browser clears it. */
const fields = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]';

/**
 * Stops the run on Escape, wherever the focus is. Not while a dialog is open, and never where something typed would be lost: in another
 * field than the message field, and while a decision or an answer (`data-typed`) has been begun.
 */
export function useEscapeToStop(container: RefObject<HTMLElement | null>, stop: (() => void) | undefined): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const root = container.current;
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || !root || !stop) return;
    if (root.closest('[inert]') || document.querySelector('dialog[open]') || root.querySelector('[data-typed]')) return;
    const { target } = event;
    if (target instanceof Element && target.matches(fields) && !target.hasAttribute('data-focus-home')) return;
    stop();
  });
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
