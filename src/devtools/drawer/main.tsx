import { createRoot } from 'react-dom/client';
import { chineseReview } from '../../ui/review/labels/chinese.ts';
import { englishReview } from '../../ui/review/labels/english.ts';
import { languageOf } from '../../ui/review/labels/languageOf.ts';
import { ReviewTextsContext, toReviewTexts } from '../../ui/review/reviewTexts.ts';
import reviewStyle from '../../ui/review.css?inline';
import partsStyle from '../../ui/style.css?inline';
import type { DrawerEnv } from '../drawer-env.ts';
import { Drawer } from './Drawer.tsx';
import drawerStyle from './drawer.css?inline';
import { en } from './texts/en.ts';
import { DrawerTextsContext } from './texts/use-drawer-texts.ts';
import { zh } from './texts/zh.ts';

const languages = {
  en: { locale: 'en-GB', texts: en, labels: englishReview },
  zh: { locale: 'zh-CN', texts: zh, labels: chineseReview },
};

/** Shows the drawer. Returns a function that removes it. */
export function mountDrawer({ root, language, ...props }: DrawerEnv): () => void {
  const before = root.adoptedStyleSheets;
  // A policy of the page refuses style elements; a constructed sheet is not an element.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${partsStyle}\n${reviewStyle}\n${drawerStyle}`);
  root.adoptedStyleSheets = [...before, sheet];
  const place = document.createElement('div');
  const { locale, texts, labels } = languages[languageOf(language === undefined ? navigator.languages : [language])];
  place.lang = locale;
  root.prepend(place);
  const unfollow = followTheme(place);
  const drawer = createRoot(place);
  drawer.render(
    <ReviewTextsContext.Provider value={toReviewTexts(labels)}>
      <DrawerTextsContext.Provider value={texts}>
        <Drawer {...props} labels={labels} />
      </DrawerTextsContext.Provider>
    </ReviewTextsContext.Provider>,
  );
  return () => {
    unfollow();
    drawer.unmount();
    place.remove();
    root.adoptedStyleSheets = before;
  };
}

/**
 * Gives an element the theme of the page around it, now and when the system changes its own: a page that is always light has no dark drawer.
 * Returns a function that ends it.
 */
function followTheme(element: HTMLElement): () => void {
  const follow = (): void => {
    // Nothing else states which theme a `color-scheme` of the page, or of its `<meta>`, comes to.
    element.style.color = 'light-dark(#000001, #000002)';
    const isDark = getComputedStyle(element).color === 'rgb(0, 0, 2)';
    element.style.removeProperty('color');
    element.dataset['theme'] = isDark ? 'dark' : 'light';
  };
  follow();
  const system = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined;
  system?.addEventListener('change', follow);
  return () => system?.removeEventListener('change', follow);
}
