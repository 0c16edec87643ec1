import { describe, expect, test } from 'vitest';
import { en as drawerEn } from '../../src/devtools/drawer/texts/en.ts';
import { zh as drawerZh } from '../../src/devtools/drawer/texts/zh.ts';
import { formatCount, formatMoment, maskText } from '../../src/review/viewer/format.ts';
import { en } from '../../src/review/viewer/texts/en.ts';
import { languageOf, textsIn } from '../../src/review/viewer/texts/language.ts';
import { textFor } from '../../src/review/viewer/texts/text-for.ts';
import { zh } from '../../src/review/viewer/texts/zh.ts';

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

describe.each([
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
    const notLocale = (tree: Tree) => flatten(tree).filter(([path]) => path !== 'locale');
    const foreign = [
      ...notLocale(chinese).filter(([, text]) => !han.test(String(text))),
      ...notLocale(english).filter(([, text]) => han.test(String(text))),
    ].map(([path]) => path);
    // Two words and a sign.
    expect(foreign.filter((path) => path !== 'decided')).toEqual([]);
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
  expect(formatMoment(en, at, at - 1_500)).toBe('22 Nov 2026, 09:05:03 (+1.5 s)');
  expect(formatMoment(zh, at, at - 1_500)).toBe('2026年11月22日 09:05:03 (+1.5 s)');
  expect(formatCount(textsIn('zh'), 12_345)).toBe('12,345');
  const mask = { attachments: true, toolOutputs: false, instructions: true, patterns: 2 };
  expect(maskText(en, mask)).toBe('Left out of this file: attachments, instructions, what matches 2 patterns.');
  expect(maskText(zh, mask)).toBe('此文件未包含：附件、指令、与 2 个模式匹配的内容。');
});

test('a name that a newer version has written is shown as it is', () => {
  expect([textFor(zh.outcomes, 'failed'), textFor(zh.outcomes, 'postponed')]).toEqual(['失败', 'postponed']);
  expect(textFor(zh.outcomes, 'constructor')).toBe('constructor');
});
