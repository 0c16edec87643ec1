import { describe, expect, it, vi } from 'vitest';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { reviewEn } from '../../demo/src/texts/en/review.ts';
import { en, type Texts } from '../../demo/src/texts/en/en.ts';
import { formatBytes, formatCost, formatCount, formatMoment } from '../../demo/src/texts/format.ts';
import { reviewZh } from '../../demo/src/texts/zh/review.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';

vi.stubGlobal('addEventListener', () => {});
const { applyLanguage, getTexts, languageOf } = await import('../../demo/src/texts/language.ts');

type Leaf = string | ((...gaps: never[]) => string);
interface Tree {
  readonly [key: string]: Leaf | Tree;
}

/** Every text by its path; the gaps of a text are filled with its path. */
function flatten(tree: Tree, path = ''): readonly (readonly [string, Leaf])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' ? flatten(value, `${path}${key}.`) : [[path + key, value] as const],
  );
}

/** Without the texts of the parts of a chat: English has only those that Studio has in its own words, see `test/ui/notice.test.tsx`. */
const withoutParts = ({ parts: _parts, ...texts }: Texts & typeof roomsEn): Tree => texts;

describe('the languages', () => {
  it.each([
    ['the interface', withoutParts({ ...en, ...roomsEn }), withoutParts(zh)],
    ['the review', reviewEn, reviewZh],
  ])('have the same texts of %s, each with the same gaps', (_what, english: Tree, chinese: Tree) => {
    const shape = (tree: Tree) =>
      flatten(tree).map(([path, text]) => [path, typeof text === 'string' ? 0 : text.length]);
    const byPath = (tree: Tree) => Object.fromEntries(shape(tree).map(([path, gaps]) => [String(path), gaps]));
    expect(byPath(chinese)).toEqual(byPath(english));
  });

  it.each([
    [
      'the interface',
      withoutParts({ ...en, ...roomsEn }),
      withoutParts(zh),
      ['locale', 'dir', 'common.app', 'shell.pageTitle', 'connection.at', 'later.at'],
    ],
    ['the review', reviewEn, reviewZh, ['locale']],
  ])('leave no text of %s in the other language', (_what, english: Tree, chinese: Tree, shared) => {
    const han = /\p{Script=Han}/u;
    const foreign = (tree: Tree, isForeign: (text: string) => boolean) =>
      flatten(tree).flatMap(([path, text]) => (isForeign(String(text)) ? [path] : []));
    expect(foreign(chinese, (text) => !han.test(text)).toSorted()).toEqual(shared.toSorted());
    expect(foreign(english, (text) => han.test(text))).toEqual([]);
  });
});

describe('languageOf', () => {
  it.each([
    [['zh-TW', 'en'], 'zh'],
    [['de', 'zh-Hans-CN', 'en'], 'zh'],
    [['en-GB', 'zh'], 'en'],
    [['ar'], 'en'],
    [[], 'en'],
  ])('chooses from %j: %s', (preferred, language) => {
    expect(languageOf(preferred)).toBe(language);
  });
});

describe('applyLanguage', () => {
  it('loads the texts and marks the page', async () => {
    const documentElement = { lang: '', dir: '' };
    vi.stubGlobal('document', { documentElement });
    await applyLanguage('zh');
    expect(getTexts()).toBe(zh);
    expect(documentElement).toEqual({ lang: 'zh-CN', dir: 'ltr' });
    await applyLanguage('en');
    expect(getTexts()).toBe(en);
    expect(documentElement.lang).toBe('en');
  });
});

describe('the formats', () => {
  it('follow the language', () => {
    expect(formatCount(en, 9_999)).toBe('9,999');
    expect(formatCount(en, 12_345)).toBe('12.3K');
    expect(formatCount(zh, 12_345)).toBe('1.2万');
    expect(formatCost(en, 0)).toBe('$0.00');
    expect(formatCost(en, 0.00423)).toBe('$0.0042');
    expect(formatCost(en, 12.345)).toBe('$12.35');
    expect(formatBytes(en, 0)).toBe('0 bytes');
    expect(formatBytes(en, 3_440_000)).toBe('3.4 MB');
  });

  it('show a time today, a day this year, else a date', () => {
    const now = new Date(2026, 10, 22, 18, 0).getTime();
    expect(formatMoment(en, new Date(2026, 10, 22, 9, 5).getTime(), now)).toBe('9:05 AM');
    expect(formatMoment(zh, new Date(2026, 10, 22, 9, 5).getTime(), now)).toBe('09:05');
    expect(formatMoment(en, new Date(2026, 2, 3).getTime(), now)).toBe('Mar 3');
    expect(formatMoment(zh, new Date(2025, 2, 3).getTime(), now)).toBe('2025年3月3日');
  });
});
