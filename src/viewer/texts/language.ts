/** A language in which the pages around a review are written. */
export type ViewerLanguage = 'en' | 'zh';

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
