import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it, test } from 'vitest';
import { root } from '../../scripts/manifest.mjs';
import { hasTopLevelAwait } from '../../scripts/top-level-await.mjs';

describe('a module waits while it is evaluated', () => {
  it.each([
    'await load();',
    'export const page = await load();',
    'if (late) { const { show } = await import("./show.js"); show(); }',
    'for await (const row of rows) show(row);',
    'class Page { static title = "a"; } const all = [await load()];',
  ])('by %s', (code) => expect(hasTopLevelAwait(code)).toBe(true));

  it.each([
    'async function load() { await wait(); }',
    'const load = async () => { for await (const row of rows) show(row); };',
    'export default { async load() { await wait(); } };',
    'void load().then(async () => await wait());',
    '',
  ])('not by %s', (code) => expect(hasTopLevelAwait(code)).toBe(false));
});

test.each([
  ['src', 400],
  ['demo/src', 100],
  ['create-brooklet/templates', 5],
  ['test/readme', 3],
] as const)('no module of %s waits while it is evaluated', (folder, least) => {
  const paths = readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.[jt]sx?$/.test(path),
  );
  const waiting = paths.filter((path) => {
    const text = readFileSync(`${root}${folder}/${path}`, 'utf8');
    if (!text.includes('await')) return false;
    return hasTopLevelAwait(transformSync(text, { loader: 'tsx', jsx: 'automatic', target: 'esnext' }).code);
  });
  expect(paths.length).toBeGreaterThan(least);
  expect(waiting).toEqual([]);
});
