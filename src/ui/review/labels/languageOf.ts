/** A language in which the texts of a review are written. */
export type ReviewLanguage = 'en' | 'zh';

/**
 * Returns the first language of a list in which the texts of a review are written, else English.
 *
 * @param preferred BCP 47 tags, such as `zh-CN`
 */
export function languageOf(preferred: readonly string[]): ReviewLanguage {
  for (const tag of preferred) {
    const [primary] = tag.toLowerCase().split('-');
    if (primary === 'zh' || primary === 'en') return primary;
  }
  return 'en';
}
