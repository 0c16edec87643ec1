import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/manifest.mjs';
import { runPart } from '../../scripts/mutate/run-part.mjs';

const name = 'test-of-mutate';
afterAll(() => rmSync(`${root}.cache/mutate/${name}`, { recursive: true, force: true }));

/** Mutates small.ts with these files of tests. */
const run = (...files: readonly string[]): Promise<string> =>
  runPart(root, {
    name,
    code: ['test/scripts/mutate/small.ts'],
    tests: files.map((file) => `test/scripts/mutate/${file}.ts`),
  });

describe('mutation testing', () => {
  it('lists the changes that no test notices', async () => {
    expect((await run('notices')).split('\n')).toEqual([
      'survives: test/scripts/mutate/small.ts:2:52 EqualityOperator: count < 3 → count <= 3',
      'test/scripts/mutate/small.ts: 4 mutants, 3 noticed, 75.0 %',
      'all: 4 mutants, 3 noticed, 75.0 %',
    ]);
  });

  it('continues in another process after a mutant that leaves a state behind', async () => {
    expect((await run('spoils')).split('\n')).toEqual([
      'survives: test/scripts/mutate/small.ts:2:52 EqualityOperator: count < 3 → count <= 3',
      'test/scripts/mutate/small.ts: 4 mutants, 3 noticed, 75.0 %',
      'all: 4 mutants, 3 noticed, 75.0 %',
    ]);
  });

  it('fails where a process of the tests ends early, and names the files without an end', async () => {
    await expect(run('notices', 'dies')).rejects.toThrow(
      /early.*in test\/scripts\/mutate\/dies\.ts \(mutant \d was on\).*did not end: test\/scripts\/mutate\/dies\.ts\./s,
    );
  });

  it('fails where tests of a file do not run', async () => {
    await expect(run('breaks')).rejects.toThrow(
      'test/scripts/mutate/breaks.ts fails outside of its tests: Nothing is ready.',
    );
  });
});
