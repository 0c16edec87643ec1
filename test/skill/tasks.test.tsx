import 'fake-indexeddb/auto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test, vi } from 'vitest';
import { checks } from './checks.ts';

/** The solutions of a model, where `npm run skill` runs this file. */
const folder = process.env.SKILL_SOLUTIONS ?? join(import.meta.dirname, 'solutions');

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test.each(Object.keys(checks))('%s', async (name) => {
  const file = existsSync(folder) && readdirSync(folder).find((file) => file.replace(/\.tsx?$/, '') === name);
  if (!file) throw new Error(`There is no ${name}.ts and no ${name}.tsx.`);
  const solution: unknown = await import(/* @vite-ignore */ join(folder, file));
  await checks[name]?.(solution);
});
