import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/sum-tallies.mjs', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallies-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the last line and the exit code for runs with these counts: passed, failed, skipped. */
function sum(...runs: readonly (readonly [number, number, number])[]): readonly [string | undefined, number | null] {
  const file = join(folder, 'tallies');
  const lines = runs.map(([passed, failed, skipped]) => JSON.stringify({ passed, failed, skipped }));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { stdout, status } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  return [stdout.trimEnd().split('\n').at(-1), status];
}

describe('the last line of CI', () => {
  it('adds the tests of all runs', () => {
    expect(sum([6000, 0, 2], [300, 0, 1])).toEqual(['6300 passed, 0 failed, 3 skipped', 0]);
  });

  it('fails with any run', () => {
    expect(sum([6000, 0, 0], [299, 1, 0])).toEqual(['6299 passed, 1 failed', 1]);
  });

  it('follows the failures of all runs, each in one line', () => {
    const file = join(folder, 'tallies');
    const runs = [
      { passed: 1, failed: 1, skipped: 0, failures: ['a.test.ts > adds: expected 1 to be 2'] },
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 25, skipped: 0, failures: Array.from({ length: 25 }, (_, nth) => `b.test.ts > ${nth}`) },
    ];
    writeFileSync(file, runs.map((its) => JSON.stringify(its)).join('\n'));
    const { stdout } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual(['- a.test.ts > adds: expected 1 to be 2', '- b.test.ts > 0']);
    expect(lines.slice(-2)).toEqual(['- and 6 more', '2 passed, 26 failed']);
  });
});
