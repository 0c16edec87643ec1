import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../demo/src', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
const textOf = new Map(
  files.filter((path) => /\.(?:tsx?|css)$/u.test(path)).map((path) => [path, readFileSync(path, 'utf8')]),
);

/** The sheets that are loaded with the page: `main` of `index.html`. */
const main = join(root, 'styles/studio.css');

const found = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([, first = '']) => first);

/** What is loaded with a file. */
const beside = new Map<string, readonly string[]>();
/** What loads a file, at once or later. */
const loaders = new Map<string, Set<string>>();
for (const [path, text] of textOf) {
  const toPath = (given: string): string => resolve(path, '..', given);
  const atOnce = found(text, /^(?:(?:import|export) (?!type\b)(?:[^'"]*? from )?|@import )'(\.[^']+)'/gmu).map(toPath);
  beside.set(path, atOnce);
  for (const other of [...atOnce, ...found(text, /\bimport\('(\.[^']+)'\)/gu).map(toPath)])
    loaders.set(other, (loaders.get(other) ?? new Set()).add(path));
}

function withFile(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (!seen.has(path)) {
    seen.add(path);
    for (const other of beside.get(path) ?? []) withFile(other, seen);
  }
  return seen;
}

/** Whether a sheet is there whenever a module is: it comes with the module, or with each of those that load it. */
function isThere(sheet: string, path: string, seen = new Set<string>()): boolean {
  if (seen.has(path) || withFile(path).has(sheet)) return true;
  seen.add(path);
  const by = Array.from(loaders.get(path) ?? []);
  return by.length > 0 && by.every((loader) => isThere(sheet, loader, seen));
}

/** By class: the sheets that style it. */
const sheetsOf = new Map<string, Set<string>>();
for (const [path, text] of textOf)
  if (path.endsWith('.css'))
    for (const selector of found(text.replaceAll(/\/\*.*?\*\//gsu, ''), /([^{}]+)\{/gu))
      for (const name of found(selector, /\.([a-z][\w-]*)/gu))
        sheetsOf.set(name, (sheetsOf.get(name) ?? new Set()).add(path));

/** The classes that a component names, as far as they are written out. */
const namesIn = (text: string): readonly string[] =>
  found(text, /className=("[^"]*"|\{[^}]*\})/gu)
    .flatMap((value) => found(value, /["'`]([^"'`]*)["'`]/gu))
    .flatMap((value) => value.split(/\s+/u));

/** Shown once `typeset.ts` is loaded, which brings the sheet. */
const later = new Set(['FormulaView.tsx']);

test('what a component of Studio looks like does not depend on what was opened before', () => {
  const common = withFile(main);
  const unstyled = Array.from(textOf).flatMap(([path, text]) =>
    path.endsWith('.tsx') && !later.has(basename(path))
      ? namesIn(text)
          .filter((name) => {
            // The library's own classes have their look in its sheet.
            const sheets = name.startsWith('bk-') ? [] : Array.from(sheetsOf.get(name) ?? []);
            return sheets.length > 0 && !sheets.some((sheet) => common.has(sheet) || isThere(sheet, path));
          })
          .map((name) => `${basename(path)}: .${name}`)
      : [],
  );
  expect(common.size).toBeGreaterThan(5);
  expect(sheetsOf.size).toBeGreaterThan(100);
  expect(unstyled).toEqual([]);
});
