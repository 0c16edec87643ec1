import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines } from '../../src/ui/call/diffLines.ts';
import { seeded } from '../support/seeded.ts';

const signs: Readonly<Record<DiffLine['is'], string>> = { kept: ' ', removed: '-', added: '+' };
const format = (before: string, after: string): readonly string[] =>
  diffLines(before, after).map(({ is, text }) => signs[is] + text);

describe('diffLines', () => {
  it('keeps common lines, and lists removed lines before added lines', () => {
    expect(format('a\nb\nc\n', 'a\nB\nc\n')).toEqual([' a', '-b', '+B', ' c']);
    expect(format('', 'new\n')).toEqual(['+new']);
    expect(format('old', '')).toEqual(['-old']);
    expect(format('same', 'same')).toEqual([' same']);
  });

  it('contains both texts, complete and in order, and keeps every line of equal texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (without: DiffLine['is']): string =>
          lines.flatMap(({ is, text: line }) => (is === without ? [] : `${line}\n`)).join('');
        expect(side('added')).toBe(before);
        expect(side('removed')).toBe(after);
        if (before === after) expect(lines.every(({ is }) => is === 'kept')).toBe(true);
      }),
      seeded(300),
    );
  });

  it('counts every line of a very long text as changed', () => {
    const long = 'line\n'.repeat(2_000);
    expect(diffLines(long, `${long}more\n`)).toHaveLength(4_001);
  });
});
