import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The translated pages, and the English page of each. */
const pages = readdirSync(new URL('../docs/zh', import.meta.url)).map((file) => [
  `docs/zh/${file}`,
  file === 'README.md' ? 'README.md' : `docs/${file}`,
]);

/** The blocks of code of a page, with the declarations and the output that their comments state. */
const blocksIn = (text: string): readonly string[] =>
  text.match(/(?:<!-- given\n.*?\n-->\n\n)?```\w+\n.*?\n```(?:\n\n<!-- prints\n.*?\n-->)?/gs) ?? [];

/** The levels of the headings: `##` for a chapter. */
const headingsIn = (text: string): readonly string[] =>
  Array.from(text.replaceAll(/```.*?```/gs, '').matchAll(/^(#+) /gm), ([, level = '']) => level);

/** Rows of tables, which list the same in every language. */
const rowsIn = (text: string): number => text.replaceAll(/<!-- begin .*?<!-- end /gs, '').match(/^\|/gm)?.length ?? 0;

test('the README and the first guide exist in Chinese', () => {
  expect(pages.map(([page]) => page)).toEqual(['docs/zh/README.md', 'docs/zh/getting-started.md']);
});

test.each(pages)('%s has the code, the headings and the rows of %s', (page = '', original = '') => {
  const [translated, english] = [read(page), read(original)];
  expect(blocksIn(translated).length).toBeGreaterThan(5);
  expect(blocksIn(translated)).toEqual(blocksIn(english));
  expect(headingsIn(translated)).toEqual(headingsIn(english));
  expect(rowsIn(translated)).toBe(rowsIn(english));
});

test.each(pages)('%s and %s link to each other', (page = '', original = '') => {
  const back = original === 'README.md' ? '../../README.md' : `../${original.replace('docs/', '')}`;
  expect(read(page)).toContain(`[English](${back})`);
  expect(read(original)).toContain(`[中文](${original === 'README.md' ? page : page.replace('docs/', '')})`);
});
