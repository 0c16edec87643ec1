/** @jsxImportSource preact */
import { render } from 'preact';
import viewerStyle from '../../viewer/viewer.css?inline';
import type { DrawerEnv } from '../drawer-env.ts';
import { Drawer } from './Drawer.tsx';
import drawerStyle from './drawer.css?inline';

/** Shows the drawer. Returns a function that removes it. */
export function mountDrawer({ root, ...props }: DrawerEnv): () => void {
  const before = root.adoptedStyleSheets;
  // A policy of the page refuses style elements; a constructed sheet is none.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${viewerStyle}\n${drawerStyle}`);
  root.adoptedStyleSheets = [...before, sheet];
  const place = document.createElement('div');
  root.prepend(place);
  render(<Drawer {...props} />, place);
  return () => {
    render(null, place);
    place.remove();
    root.adoptedStyleSheets = before;
  };
}
