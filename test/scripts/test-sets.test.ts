import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyday, fewer, listLongFiles, longFiles } from '../../scripts/test-sets.mjs';
import { listTests } from '../../scripts/wants-browser.mjs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const long = listLongFiles();

test('every file that npm test leaves out is a test of test:long', () => {
  expect(longFiles.filter((file) => !listTests().includes(file))).toEqual([]);
  expect(long).toEqual(expect.arrayContaining([...longFiles]));
});

test.each(Object.entries(fewer))('npm test plays fewer %s than test:long', (name, number) => {
  const files = long.filter((file) => read(file).includes(`env.${name}`));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const full = new RegExp(`env\\.${name} \\?\\? ([\\d_]+)`).exec(read(file))?.[1]?.replace('_', '');
    expect(Number(full)).toBeGreaterThan(Number(number));
  }
});

test('test:long plays every property test that runs a share of its cases in npm test', () => {
  const shared = listTests().filter(
    (file) => !file.includes('.browser.') && /^import .*seeded\b.*from/m.test(read(file)),
  );
  expect(shared.length).toBeGreaterThan(20);
  expect(shared.filter((file) => !long.includes(file))).toEqual([]);
});

test('npm test leaves more files to test:long where that follows, and test:long plays each of them', () => {
  const leftBy = (env: Readonly<Record<string, string>>) => everyday(env).variables.TEST_EXCLUDE.split(',');
  expect(leftBy({})).toEqual(longFiles);
  const left = leftBy({ LONG_FOLLOWS: '1' });
  expect(left.slice(longFiles.length)).toEqual(
    expect.arrayContaining([
      'test/corpus.test.ts',
      'test/e2e/keyboard.test.ts',
      'test/replica/devices.test.ts',
      'test/simulation/simulation.test.ts',
    ]),
  );
  expect(left.filter((file) => !long.includes(file))).toEqual([]);
});

test('test:long runs all of its files: none is of a project that it does not name', () => {
  expect(long.filter((file) => file.endsWith('.test-d.ts'))).toEqual([]);
});
