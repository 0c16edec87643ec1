import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { en, type ViewerTexts } from './en.ts';

/** The sentences of the parts of the viewer inside. Default: English. */
export const TextsContext = createContext<ViewerTexts>(en);

/** Returns the sentences of the viewer in the language of the page. */
export function useTexts(): ViewerTexts {
  return useContext(TextsContext);
}
