import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines } from '../../demo/src/conversation/diffLines.ts';
import { seeded } from '../support/seeded.ts';

const signs: Readonly<Record<DiffLine['is'], string>> = { kept: ' ', removed: '-', added: '+' };
const drawn = (before: string, after: string): readonly string[] =>
  diffLines(before, after).map(({ is, text }) => signs[is] + text);

describe('diffLines', () => {
  it('keeps what stays, and says what goes before what comes', () => {
    expect(drawn('a\nb\nc\n', 'a\nB\nc\n')).toEqual([' a', '-b', '+B', ' c']);
    expect(drawn('', 'new\n')).toEqual(['+new']);
    expect(drawn('old', '')).toEqual(['-old']);
    expect(drawn('same', 'same')).toEqual([' same']);
  });

  it('has either text in it, whole and in order, and keeps no less than it can', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (gone: DiffLine['is']): string =>
          lines.flatMap(({ is, text: line }) => (is === gone ? [] : `${line}\n`)).join('');
        expect(side('added')).toBe(before);
        expect(side('removed')).toBe(after);
        if (before === after) expect(lines.every(({ is }) => is === 'kept')).toBe(true);
      }),
      seeded(300),
    );
  });

  it('takes what is very long for changed as a whole', () => {
    const long = 'line\n'.repeat(2_000);
    expect(diffLines(long, `${long}more\n`)).toHaveLength(4_001);
  });
});
