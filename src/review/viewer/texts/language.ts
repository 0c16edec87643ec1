import { en, type ViewerTexts } from './en.ts';
import { zh } from './zh.ts';

/** A language in which the viewer is written. */
export type ViewerLanguage = 'en' | 'zh';

const texts: Readonly<Record<ViewerLanguage, ViewerTexts>> = { en, zh };

/**
 * Returns the first language of a list in which the viewer is written, else English.
 *
 * @param preferred BCP 47 tags, such as `zh-CN`
 */
export function languageOf(preferred: readonly string[]): ViewerLanguage {
  for (const tag of preferred) {
    const [primary] = tag.toLowerCase().split('-');
    if (primary === 'zh' || primary === 'en') return primary;
  }
  return 'en';
}

/** Returns the sentences of the viewer in a language. */
export function textsIn(language: ViewerLanguage): ViewerTexts {
  return texts[language];
}
