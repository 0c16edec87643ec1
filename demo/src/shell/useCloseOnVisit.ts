import { useEffect } from 'react';
import { closeOverlay, type Overlay } from '../base/overlay.ts';
import { visit$ } from '../base/route.ts';
import { isText } from '../ui/isText.ts';

/** Closes what lies over the page when the person goes to another one, by Back for example: it would cover that page. A dialog with a text that the person has typed stays. */
export function useCloseOnVisit(overlay: Overlay): void {
  useEffect(() => {
    if (overlay.is === 'none') return undefined;
    const typed = new Set<HTMLInputElement | HTMLTextAreaElement>();
    const onInput = ({ target }: Event): void => {
      if (isText(target)) typed.add(target);
    };
    // What was submitted is not lost.
    const onSubmit = (): void => typed.clear();
    const subscription = visit$.subscribe(() => {
      const isKept = overlay.is !== 'palette' && [...typed].some((field) => field.isConnected && field.value !== '');
      if (!isKept) closeOverlay();
    });
    addEventListener('input', onInput, true);
    addEventListener('submit', onSubmit, true);
    return () => {
      removeEventListener('input', onInput, true);
      removeEventListener('submit', onSubmit, true);
      subscription.unsubscribe();
    };
  }, [overlay]);
}
