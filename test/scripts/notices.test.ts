import { expect, test } from 'vitest';
import { noting, toNotices } from '../../scripts/notices.mjs';

test('the notices have the name, the version and the licence of each package', () => {
  const text = toNotices(['rxjs', 'preact']);
  expect(text).toMatch(/^preact \d+\.\d+\.\d+ \(MIT\)$[\s\S]*Permission is hereby granted[\s\S]*^rxjs \d/m);
  expect(text).toContain('Apache License');
});

test('a package without a licence is refused', () => {
  expect(() => toNotices(['.bin'])).toThrow('.bin has no file with its licence');
});

test('a build notes the packages of its modules, those with a scope too', () => {
  const names = new Set<string>();
  const { generateBundle } = noting(names);
  const moduleIds = ['/p/src/a.ts', '/p/node_modules/rxjs/dist/a.js', '/p/node_modules/a/node_modules/@b/c/d.js'];
  const files = { 'a.js': { type: 'chunk', moduleIds }, 'a.css': { type: 'asset' } };
  if (typeof generateBundle !== 'function') throw new TypeError('The plugin has no function.');
  Reflect.apply(generateBundle, undefined, [{}, files]);
  expect([...names].toSorted()).toEqual(['@b/c', 'rxjs']);
});
