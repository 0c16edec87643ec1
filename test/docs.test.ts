import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What a file shows: everything before what it leaves to its page, which is declared or exported for the checker only. */
const shownIn = (file: string): string =>
  file.split(/\n(?=declare |export \{|\/\/ What the sample)/, 1)[0]?.trim() ?? '';

test.each(['tools', 'react'])('every sample of docs/%s.md is a file that is type-checked', (name) => {
  const samples = readdirSync(new URL(`docs/${name}`, import.meta.url)).map((file) => read(`docs/${name}/${file}`));
  const shown = Array.from(read(`../docs/${name}.md`).matchAll(/```tsx?\n(.*?)\n```/gs), ([, code]) => code);
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown)).toEqual(new Set(samples.map(shownIn)));
});
