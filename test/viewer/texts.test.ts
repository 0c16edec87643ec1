import { chineseReview, englishReview } from 'brooklet/ui';
import { describe, expect, test } from 'vitest';
import { en as drawerEn } from '../../src/devtools/drawer/texts/en.ts';
import { zh as drawerZh } from '../../src/devtools/drawer/texts/zh.ts';
import { toFormats } from '../../src/ui/review/formats.ts';
import { languageOf } from '../../src/ui/review/labels/languageOf.ts';
import { wordFor } from '../../src/ui/review/reviewTexts.ts';
import { maskText } from '../../src/viewer/mask-text.ts';
import { en } from '../../src/viewer/texts/en.ts';
import { zh } from '../../src/viewer/texts/zh.ts';

type Leaf = string | ((...gaps: never[]) => string);
interface Tree {
  readonly [key: string]: Leaf | Tree;
}

/** Every text by its path. */
function flatten(tree: Tree, path = ''): readonly (readonly [string, Leaf])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' ? flatten(value, `${path}${key}.`) : [[path + key, value] as const],
  );
}

/** The texts of the review; its list of keys as texts by key. Those of its parts are tested with them. */
function ofReview({ keys, parts: _parts, ...texts }: typeof englishReview): Tree {
  const { help, ...more } = keys;
  return { ...texts, keys: { ...more, ...Object.fromEntries(help) } };
}

describe.each<[string, Tree, Tree]>([
  ['the review', ofReview(englishReview), ofReview(chineseReview)],
  ['the viewer', en, zh],
  ['the drawer', drawerEn, drawerZh],
])('the languages of %s', (_name, english, chinese) => {
  test('have the same texts, each with the same gaps', () => {
    const shape = (tree: Tree) =>
      Object.fromEntries(flatten(tree).map(([path, text]) => [path, typeof text === 'string' ? 0 : text.length]));
    expect(shape(chinese)).toEqual(shape(english));
  });

  test('leave no text in the other language', () => {
    const han = /\p{Script=Han}/u;
    const notLocale = (tree: Tree) => flatten(tree).filter(([path]) => !path.startsWith('locale'));
    const foreign = [
      ...notLocale(chinese).filter(([, text]) => !han.test(String(text))),
      ...notLocale(english).filter(([, text]) => han.test(String(text))),
    ].map(([path]) => path);
    // Words and signs that are given.
    expect(
      foreign.filter((path) => !['calls.decided', 'calls.because', 'compare.of', 'compare.moment'].includes(path)),
    ).toEqual([]);
  });
});

test.each([
  [['zh-TW', 'en'], 'zh'],
  [['de', 'zh-Hans-CN', 'en'], 'zh'],
  [['en-GB', 'zh'], 'en'],
  [['zh'], 'zh'],
  [['fr'], 'en'],
  [[], 'en'],
])('of the languages %j of a browser, the viewer has %s', (preferred, language) => {
  expect(languageOf(preferred)).toBe(language);
});

test('numbers, moments and masks follow the language', () => {
  const at = new Date(2026, 10, 22, 9, 5, 3).getTime();
  const [english, chinese] = [toFormats(englishReview.locale), toFormats(chineseReview.locale)];
  expect(english.moment(at, at - 61_500)).toBe('22 Nov 2026, 09:05:03 (+1:01)');
  expect(chinese.moment(at, at - 61_500)).toBe('2026年11月22日 09:05:03 (+1:01)');
  expect(chinese.count(12_345)).toBe('12,345');
  expect([english.time(1e300)]).toEqual(['1e+300']);
  const mask = { attachments: true, toolOutputs: false, instructions: true, patterns: 2 };
  expect(maskText(en, mask)).toBe('Left out of this file: attachments, instructions, what matches 2 patterns.');
  expect(maskText(zh, mask)).toBe('此文件未包含：附件、指令、与 2 个模式匹配的内容。');
});

test('a name that a newer version has written is shown as it is', () => {
  const { outcomes } = chineseReview;
  expect([wordFor(outcomes, 'failed'), wordFor(outcomes, 'postponed')]).toEqual(['失败', 'postponed']);
  expect(wordFor(outcomes, 'constructor')).toBe('constructor');
});
