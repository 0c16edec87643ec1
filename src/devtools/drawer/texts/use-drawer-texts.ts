import { createContext, useContext } from 'react';
import { type DrawerTexts, en } from './en.ts';

/** The sentences of the parts of the drawer inside. Default: English. */
export const DrawerTextsContext = createContext<DrawerTexts>(en);

/** Returns the sentences of the drawer in the language of the page. */
export function useDrawerTexts(): DrawerTexts {
  return useContext(DrawerTextsContext);
}
