import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The shown part of a sample file: everything before the declarations and exports that only the type checker needs. */
const shownIn = (file: string): string =>
  file.split(/\n(?=declare |export \{|\/\/ What the sample)/, 1)[0]?.trim() ?? '';

test.each([
  ['tools', 6],
  ['react', 6],
  ['debugging', 4],
])('docs/%s.md shows only samples that are type-checked files, and all of these', (name, least) => {
  const samples = readdirSync(new URL(`docs/${name}`, import.meta.url)).map((file) => read(`docs/${name}/${file}`));
  const shown = Array.from(read(`../docs/${name}.md`).matchAll(/```tsx?\n(.*?)\n```/gs), ([, code]) => code);
  expect(shown.length).toBeGreaterThanOrEqual(least);
  expect(new Set(shown)).toEqual(new Set(samples.map(shownIn)));
});

/** Folders from which a page for contributors names files. */
const roots = ['', 'src/', 'src/core/', 'src/core/model/', 'src/core/log/', 'src/core/session/', 'src/core/context/'];
const moreRoots = [
  'src/review/',
  'src/core/tools/',
  'src/llm/',
  'src/llm/transport/',
  'src/storage/',
  'src/storage/indexeddb/',
];

test.each(['docs/architecture.md', 'docs/glossary.md', 'docs/decisions.md', 'docs/debugging.md', 'CONTRIBUTING.md'])(
  '%s names only files that exist',
  (page) => {
    const named = Array.from(read(`../${page}`).matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g), ([, path = '']) => path);
    const isThere = (path: string): boolean =>
      [...roots, ...moreRoots].some((root) => existsSync(new URL(`../${root}${path}`, import.meta.url)));
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  },
);

test.each(['architecture', 'glossary', 'debugging', 'decisions'])(
  'docs/%s.md links only to pages that exist',
  (name) => {
    const links = Array.from(read(`../docs/${name}.md`).matchAll(/\]\(([^)#:]+)\)/g), ([, path = '']) => path);
    expect(links.filter((path) => !existsSync(new URL(`../docs/${path}`, import.meta.url)))).toEqual([]);
  },
);
