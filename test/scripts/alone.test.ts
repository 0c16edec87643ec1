import { expect, test } from 'vitest';
import { changesGlobals, listAlone } from '../../scripts/alone.mjs';

test.each([
  ["vi.mock('./a.ts')", true],
  ["vi.stubGlobal('crypto', {})", true],
  ['vi.useFakeTimers()', true],
  ["vi.spyOn(IDBDatabase.prototype, 'transaction')", true],
  ["import 'fake-indexeddb/auto'", true],
  ["vi.spyOn(engine, 'write')", false],
  ['const ran = vi.fn()', false],
])('%s: runs alone is %s', (text, expected) => {
  expect(changesGlobals(text)).toBe(expected);
});

test('files that mock modules run alone, with a page or without; others share the modules of a worker', () => {
  const [alone, inPage] = [listAlone('ts'), listAlone('tsx')];
  expect(alone).toEqual(expect.arrayContaining(['test/core/lazy.test.ts', 'test/storage/lock.test.ts']));
  expect(alone).not.toContain('test/core/model/evolve.test.ts');
  expect(inPage).toContain('test/demo/boundaries.test.tsx');
  expect(inPage).not.toContain('test/react/useChat.test.tsx');
  expect([...alone, ...inPage].filter((file) => file.includes('.browser.') || file.startsWith('test/e2e/'))).toEqual(
    [],
  );
});
