import { describe, expect, it } from 'vitest';
import { listTests, wantsBrowser, wantsNats } from '../../scripts/wants-browser.mjs';

const files = [
  'test/core/log/log.test.ts',
  'test/react/useChat.test.tsx',
  'test/storage/files.test.ts',
  'test/storage/model.browser.test.ts',
  'test/e2e/kills.test.ts',
];

describe('whether a test run needs a browser', () => {
  it.each([
    [[], true],
    [['--watch'], true],
    [['test/core/log'], false],
    [['./test/core/log/log.test.ts:12'], false],
    [['log.test', 'useChat'], false],
    [['test/storage'], true],
    [['test/storage/files'], false],
    [['test/core', 'test/e2e'], true],
    [['kills'], true],
    [['--project', 'node'], false],
    [['--project=node', '--project=types'], false],
    [['--project', 'node', '--project', 'e2e'], true],
    [['--project', 'node', 'test/storage'], false],
    [['--project', 'browser', 'test/storage/model'], true],
    [['test/core/log', '-t', 'resumes after e2e'], false],
    [['-t', 'core/log'], true],
    [['no/such/test'], true],
  ])('%j: %j', (args, expected) => {
    expect(wantsBrowser(args, files)).toBe(expected);
  });

  it('knows the test files of this repository', () => {
    expect(listTests()).toEqual(
      expect.arrayContaining([
        'test/scripts/wants-browser.test.ts',
        'test/e2e/kills.test.ts',
        'test/storage/model.browser.test.ts',
      ]),
    );
    expect(wantsBrowser(['test/scripts'], listTests())).toBe(false);
  });
});

describe('whether a test run needs nats-server', () => {
  const withNats = [...files, 'test/nats/store.test.ts', 'test/e2e/nats.test.ts'];

  it.each([
    [[], true],
    [['test/core/log'], false],
    [['test/nats'], true],
    [['test/e2e/nats'], true],
    [['kills'], false],
    [['--project=node'], true],
    [['--project=!node'], true],
    [['--project=!e2e'], true],
    [['--project', '*'], true],
    [['--project', 'jsdom'], false],
    [['--project', 'browser', '--project', 'node'], true],
    [['--project', 'node', 'test/storage'], false],
    [['no/such/test'], true],
  ])('%j: %s', (args, expected) => {
    expect(wantsNats(args, withNats)).toBe(expected);
  });
});
