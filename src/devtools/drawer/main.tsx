/** @jsxImportSource preact */
import { render } from 'preact';
import { languageOf, textsIn } from '../../review/viewer/texts/language.ts';
import { TextsContext } from '../../review/viewer/texts/use-texts.ts';
import viewerStyle from '../../review/viewer/viewer.css?inline';
import type { DrawerEnv } from '../drawer-env.ts';
import { Drawer } from './Drawer.tsx';
import drawerStyle from './drawer.css?inline';
import { en } from './texts/en.ts';
import { DrawerTextsContext } from './texts/use-drawer-texts.ts';
import { zh } from './texts/zh.ts';

const texts = { en, zh };

/** Shows the drawer. Returns a function that removes it. */
export function mountDrawer({ root, language, ...props }: DrawerEnv): () => void {
  const before = root.adoptedStyleSheets;
  // A policy of the page refuses style elements; a constructed sheet is not an element.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${viewerStyle}\n${drawerStyle}`);
  root.adoptedStyleSheets = [...before, sheet];
  const place = document.createElement('div');
  const own = languageOf(language === undefined ? navigator.languages : [language]);
  place.lang = textsIn(own).locale;
  root.prepend(place);
  render(
    <TextsContext.Provider value={textsIn(own)}>
      <DrawerTextsContext.Provider value={texts[own]}>
        <Drawer {...props} />
      </DrawerTextsContext.Provider>
    </TextsContext.Provider>,
    place,
  );
  return () => {
    render(null, place);
    place.remove();
    root.adoptedStyleSheets = before;
  };
}
