import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/manifest.mjs';
import { conditionsOf } from '../../scripts/mutate/refusals.mjs';
import { runPart } from '../../scripts/mutate/run-part.mjs';

const name = 'test-of-mutate';
afterAll(() => rmSync(`${root}.cache/mutate/${name}`, { recursive: true, force: true }));

const partOf = (...files: readonly string[]) => ({
  name,
  code: ['test/scripts/mutate/small.ts'],
  tests: files.map((file) => `test/scripts/mutate/${file}.ts`),
});

/** Mutates small.ts with these files of tests. */
const run = (...files: readonly string[]): Promise<string> => runPart(root, partOf(...files));

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

  it('tries the conditions that refuse something only, where asked', async () => {
    const guarded = { ...partOf('guards'), code: ['test/scripts/mutate/guarded.ts'] };
    expect((await runPart(root, { ...guarded, refusals: true })).split('\n')).toEqual([
      'survives: test/scripts/mutate/guarded.ts:3:7 EqualityOperator: count < 0 → count <= 0',
      'test/scripts/mutate/guarded.ts: 4 mutants, 3 noticed, 75.0 %',
      'all: 4 mutants, 3 noticed, 75.0 %',
    ]);
    expect(await runPart(root, guarded)).toContain('ArithmeticOperator: count / 2 → count * 2');
  });

  it('ends after its time, and names what was not tried', async () => {
    const report = (await runPart(root, { ...partOf('notices'), minutes: 0 })).split('\n');
    expect(report[0]).toBe('The time was over. These test files did not end: test/scripts/mutate/notices.ts.');
    expect(report.filter((line) => line.startsWith('not tried: '))).toHaveLength(5);
  });
});

describe('the conditions that refuse something', () => {
  it.each([
    ['if (a > 1) throw new Error();', ['a > 1']],
    ['for (;;) if (a) { b(); continue; }', ['a']],
    ['if (a) fail("no"); else b();', ['a']],
    ['if (a) b(); else this.refuse();', ['a']],
    ['const b = a ? 1 : undefined;', ['a']],
    ['const b = a ? [] : c;', ['a']],
    ['const isBig = a > 1 && b;', ['a > 1 && b']],
    ['function hasOne(a) { const b = 1; return a === b; }', ['a === b']],
    ['const one = (a: unknown): a is string => typeof a === "string";', ['typeof a === "string"']],
    ['a.filter((one) => one.ok);', ['one.ok']],
    ['if (a) b();', []],
    ['const b = a ? 1 : 2;', []],
    ['a.map((one) => one.ok);', []],
  ])('of %s are %o', (code, conditions) => {
    const found = conditionsOf(code).map(({ loc }) => code.slice(loc?.start.column, loc?.end.column));
    expect(found).toEqual(conditions);
  });
});
