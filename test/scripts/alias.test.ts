import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alias } from '../../scripts/alias.mjs';

const folder = new URL('../../demo/src/', import.meta.url);

/** The names of the package by which the Studio imports. */
const names = new Set(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    .flatMap(
      (file) => readFileSync(new URL(file, folder), 'utf8').match(/(?<=(?:from|import) ')brooklet[^']*/gu) ?? [],
    ),
);

/** What Vite makes of a name. */
function resolve(name: string): string {
  const found = alias.find(({ find }) => find.test(name));
  return found ? name.replace(found.find, found.replacement) : name;
}

it('finds all that the Studio imports in the sources, so that `npm start` needs no build', () => {
  expect([...names]).toEqual(expect.arrayContaining(['brooklet', 'brooklet/ui', 'brooklet/ui/style.css?inline']));
  expect([...names].filter((name) => !existsSync(resolve(name).replace(/\?.*/u, '')))).toEqual([]);
});

it('keeps what follows the name of a file, and takes no other name', () => {
  expect(resolve('brooklet/ui/style.css?inline')).toMatch(/\/src\/ui\/style\.css\?inline$/u);
  for (const name of ['brooklet/ui/style.css.map', 'brooklet/other', 'other/brooklet'])
    expect(resolve(name)).toBe(name);
});
