import { expect, test } from 'vitest';
import { listAloneInBrowser, listAloneInNode, listAloneInPage, listWithDatabase, wayOf } from '../../scripts/alone.mjs';

test.each([
  ['test/core/a.test.ts', "vi.mock('./a.ts')", 'alone'],
  ['test/core/a.test.ts', 'vi.resetModules()', 'alone'],
  ['test/nats/a.test.ts', '', 'alone'],
  ['test/core/a.test.ts', "import 'fake-indexeddb/auto'", 'database'],
  ['test/react/a.test.tsx', "import 'fake-indexeddb/auto'", 'alone'],
  ['test/core/a.test.ts', "import 'fake-indexeddb/auto';\nvi.mock('./a.ts')", 'alone'],
  ['test/core/a.test.ts', "vi.stubGlobal('crypto', {})", 'without'],
  ['test/core/a.test.ts', 'vi.useFakeTimers()', 'without'],
  ['test/core/a.test.ts', 'const ran = vi.fn()', 'without'],
])('%s with %s: %s', (file, text, expected) => {
  expect(wayOf(file, text)).toBe(expected);
});

test('files that replace modules run alone, with a page or without; those with a database share modules among themselves', () => {
  const [alone, withDatabase, inPage, inBrowser] = [
    listAloneInNode(),
    listWithDatabase(),
    listAloneInPage(),
    listAloneInBrowser(),
  ];
  expect(alone).toContain('test/nats/store.test.ts');
  expect(withDatabase).toContain('test/storage/indexeddb/commit.test.ts');
  expect([...alone, ...withDatabase]).not.toContain('test/core/model/evolve.test.ts');
  expect(inPage).toContain('test/demo/boundaries.test.tsx');
  expect(inPage).not.toContain('test/react/useChat.test.tsx');
  expect(inBrowser).toContain('test/demo/oneRow.browser.test.tsx');
  expect(inBrowser).not.toContain('test/demo/Conversation.browser.test.tsx');
  expect(alone.filter((file) => withDatabase.includes(file))).toEqual([]);
  const all = [...alone, ...inPage, ...withDatabase];
  expect(all.filter((file) => file.includes('.browser.') || file.startsWith('test/e2e/'))).toEqual([]);
});
