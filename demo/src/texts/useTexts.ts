import { useObservable } from 'brooklet/react';
import type { Texts } from './en/en.ts';
import { getTexts, texts$ } from './language.ts';

/**
 * Returns the texts of the interface in the chosen language.
 *
 *     const { common, sessions: words } = useTexts();
 */
export function useTexts(): Texts {
  return useObservable(texts$, getTexts);
}
