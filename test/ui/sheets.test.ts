import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What the selectors of a sheet begin with, where that is a class. */
function leadingClasses(name: string): ReadonlySet<string> {
  const text = readFileSync(new URL(`../../src/ui/${name}`, import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gsu, '');
  const selectors = Array.from(text.matchAll(/([^{};]+)\{/gu), ([, selector = '']) => selector).flatMap((selector) =>
    selector.split(/,(?![^(]*\))/u),
  );
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)/u.exec(selector)?.[1] ?? []));
}

it('a class of a review is no class of a chat: each sheet would restyle what the other has', () => {
  const [chat, review] = [leadingClasses('style.css'), leadingClasses('review.css')];
  expect(chat.size).toBeGreaterThan(100);
  expect(review.size).toBeGreaterThan(50);
  // Within a root, a review adds to what its parts have.
  const roots = new Set(['bk-chat']);
  expect([...review].filter((name) => chat.has(name) && !roots.has(name))).toEqual([]);
});
