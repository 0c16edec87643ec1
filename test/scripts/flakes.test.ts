import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { isListed, mayRetry, maySkip } from '../../scripts/exceptions.mjs';
import { add, judge } from '../../scripts/finish.mjs';
import { root } from '../../scripts/manifest.mjs';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

let folder = '';
beforeAll(() => {
  mkdirSync(`${root}.cache`, { recursive: true });
  // In this folder, so that the files find Vitest.
  folder = mkdtempSync(`${root}.cache/flakes-`);
  writeFileSync(`${folder}/vitest.config.mjs`, 'export default { test: { retry: 1 } };');
  writeFileSync(
    `${folder}/some.test.mjs`,
    `import { expect, test } from 'vitest';
    let tries = 0;
    test('passes', () => {});
    test('passes at the second try', () => expect(++tries).toBe(2));
    test.skip('is skipped', () => {});`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the tests of the folder with the reporter that counts. Returns the counts and what it printed. */
function run(variables: Readonly<Record<string, string>> = {}) {
  const file = `${folder}/tally.json`;
  const { stdout } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', folder, `--reporter=${root}scripts/tally.mjs`],
    { encoding: 'utf8', env: { PATH: process.env.PATH, TALLY_FILE: file, ...variables } },
  );
  return { tally: JSON.parse(readFileSync(file, 'utf8')) as unknown, stdout };
}

describe('the counts of a run', () => {
  it('count a test that needed another try neither as passed nor as failed, and name it', () => {
    const { tally, stdout } = run();
    expect(tally).toEqual({
      passed: 1,
      failed: 0,
      skipped: 1,
      retried: [expect.stringMatching(/needed another try.*passes at the second try: .*expected 1 to be 2/)],
    });
    expect(stdout).toMatch(/needed another try.*passes at the second try: .*expected 1 to be 2/);
  });

  it('fail for each test that needed another try, unless so many are allowed in the whole run', () => {
    const sum = add([
      { passed: 5, failed: 0, skipped: 1, retried: ['a'] },
      { passed: 6, failed: 1, skipped: 0, failures: ['c'], retried: ['b'] },
    ]);
    expect(judge(sum, 0)).toEqual({ passed: 11, failed: 3, skipped: 1, failures: ['c', 'a', 'b'], retried: [] });
    expect(judge(sum, 1)).toEqual({ passed: 11, failed: 3, skipped: 1, failures: ['c', 'a', 'b'], retried: [] });
    expect(judge(sum, 2)).toEqual({ passed: 13, failed: 1, skipped: 1, failures: ['c'], retried: ['a', 'b'] });
  });

  it.each([
    [{}, '1 passed, 1 failed', 1],
    [{ TRIES_ALLOWED: '1' }, '2 passed, 0 failed', 0],
  ])('end with %j as %j', (variables, last, status) => {
    const file = `${folder}/sum.jsonl`;
    writeFileSync(file, `${JSON.stringify({ passed: 1, failed: 0, skipped: 0, retried: ['slow'] })}\n`);
    const run = spawnSync(process.execPath, [`${root}scripts/sum-tallies.mjs`, file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...variables },
    });
    expect(run.stdout.trim().split('\n')).toEqual([expect.stringMatching(/^- .*slow$/), last]);
    expect(run.status).toBe(status);
  });

  it('count a skipped test as failed in CI', () => {
    const { tally, stdout } = run({ SKIPS: 'fail' });
    expect(tally).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
    expect(stdout).toMatch(/FAILED: skipped.*is skipped/);
  });
});

describe('the list of exceptions', () => {
  it('names tests that exist, each with a date and a reason', () => {
    for (const { file, test: name, since, reason } of [...mayRetry, ...maySkip]) {
      expect([file, existsSync(`${root}${file}`)]).toEqual([file, true]);
      expect(name).not.toBe('');
      expect(since).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(reason).not.toBe('');
    }
  });

  it('is matched by file and name', () => {
    const list = [{ file: 'test/a.test.ts', test: 'on SQLite', since: '2026-11-27', reason: 'old' }];
    expect(isListed(list, 'test/a.test.ts', 'on SQLite  > loses nothing')).toBe(true);
    expect(isListed(list, 'test/a.test.ts', 'on LevelDB > loses nothing')).toBe(false);
    expect(isListed(list, 'test/b.test.ts', 'on SQLite > loses nothing')).toBe(false);
  });
});

test('every wait has the limit of test/support/until.ts, and only pages have another try', () => {
  const texts = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && path !== 'support/until.ts' && path !== 'scripts/flakes.test.ts')
    .map((path) => [path, readFileSync(`${root}test/${path}`, 'utf8')] as const);
  const named = (pattern: RegExp) => texts.flatMap(([path, text]) => (pattern.test(text) ? [path] : []));
  expect(named(/\bvi\.wait(For|Until)\(/)).toEqual([]);
  expect(named(/\{ (?:\w+: [^}]*, )?retry: \d/)).toEqual([]);
});
