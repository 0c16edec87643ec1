import 'fake-indexeddb/auto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { configure } from '@testing-library/dom';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../scripts/manifest.mjs';
import { mutated } from '../../scripts/mutation.mjs';
import { compile } from '../../scripts/skill/compile.mjs';
import { checks } from './checks.ts';
import { faults } from './faults.ts';

const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'skill-faults-'));

/** The faulty solutions: what is wrong, the task, and the file. */
const faulty = Object.entries(faults).map(([fault, mutation], index) => {
  const ending = extname(mutation.file);
  const task = basename(mutation.file, ending);
  const file = join(folder, `${task}-${index}${ending}`);
  writeFileSync(file, mutated(readFileSync(join(root, mutation.file), 'utf8'), mutation));
  return { fault, task, file };
});

// Each of these checks ends with a wait for something that never happens.
beforeAll(() => configure({ asyncUtilTimeout: 2_000 }));

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every faulty solution compiles', () => {
  expect(compile(folder)).toEqual(new Map());
});

test.each(faulty)('the check of $task refuses a solution that $fault', async ({ task, file }) => {
  const solution: unknown = await import(/* @vite-ignore */ file);
  await expect(checks[task]?.(solution)).rejects.toBeInstanceOf(Error);
});
