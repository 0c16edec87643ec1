import { useRef } from 'react';
import type { ElementRef } from '../base/ElementRef.ts';
import { usePageEffect } from '../base/usePageEffect.ts';

/**
 * Returns the ref of an element that the style sheet places by `--bk-at` and `--bk-span`. Set by a function: a policy of the page may refuse
 * the attribute `style`.
 */
export function usePlace<Kind extends HTMLElement>(at: number, span = 0): ElementRef<Kind> {
  const element = useRef<Kind>(null);
  usePageEffect(() => {
    element.current?.style.setProperty('--bk-at', String(at));
    element.current?.style.setProperty('--bk-span', String(span));
  }, [at, span]);
  return element;
}
