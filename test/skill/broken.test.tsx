import 'fake-indexeddb/auto';
import { configure } from '@testing-library/dom';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { checks } from './checks.ts';

const broken = import.meta.glob('./broken/*');

// Each of these checks ends with a wait for something that never happens.
beforeAll(() => configure({ asyncUtilTimeout: 2_000 }));

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test.each(Object.entries(broken))('%s does not pass the check of its task', async (path, load) => {
  const name = path.replace(/^.*\/|\.tsx?$/g, '');
  await expect(checks[name]?.(await load())).rejects.toBeInstanceOf(Error);
});
