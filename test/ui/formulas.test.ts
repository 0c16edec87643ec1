import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { toBlocks } from '../../src/ui/markdown/blocks.ts';
import { closeMarkdown } from '../../src/ui/markdown/closeMarkdown.ts';
import { maskFormulas, splitFormulas, unmask } from '../../src/ui/markdown/formulas.ts';

/** The formulas of a text: display formulas in double brackets, open ones with an ellipsis. */
function formulasIn(text: string, isGrowing = false): readonly string[] {
  return maskFormulas(text, isGrowing).formulas.map(({ tex, isDisplay, isClosed }) => {
    const shown = `${tex}${isClosed ? '' : '…'}`;
    return isDisplay ? `[[${shown}]]` : shown;
  });
}

describe('maskFormulas', () => {
  it.each([
    ['Euler: $e^{i\\pi} + 1 = 0$.', ['e^{i\\pi} + 1 = 0']],
    ['$x$ and $y$-axis, the $n$th, ($z$)', ['x', 'y', 'n', 'z']],
    ['设$x$为正数，则$x^2>0$。', ['x', 'x^2>0']],
    ['The sum \\(a + b\\) is \\[a + b = c\\] here.', ['a + b', '[[a + b = c]]']],
    ['$$E = mc^2$$', ['[[E = mc^2]]']],
    ['$$\na\n\n= b\n$$', ['[[a\n\n= b]]']],
    ['\\[\na\n\\]', ['[[a]]']],
    ['\\[ a \\]', ['[[a]]']],
    ['- item\n  $$\n  a_1\n  $$', ['[[a_1]]']],
    ['> $$\n> a > b\n> $$', ['[[a > b]]']],
    ['| $|x|$ | $a*b*c$ |', ['|x|', 'a*b*c']],
    ['$\\$5 + x$', ['\\$5 + x']],
    ['$\\begin{matrix} a \\\\ b \\end{matrix}$', ['\\begin{matrix} a \\\\ b \\end{matrix}']],
    ['$a$$b$', []],
  ])('finds the formulas of %j', (text, formulas) => {
    expect(formulasIn(text)).toEqual(formulas);
  });

  it.each([
    'It costs $5 and $6.',
    'Between $5-$6, or US$20 and US$30',
    'It costs $5 per user (see $pricing) or 6$.',
    'set $HOME and $PATH, or $HOME/$USER',
    'From 5$ to 6$, then',
    'https://a.example/?a=$b&c=$d',
    'in code: `$x$ and \\(y\\)`',
    '- a\n\n  ```sh\n  echo $x$\n  ```',
    'escaped \\$x\\$ and \\\\(x\\\\)',
    'the footnote \\[1\\] here',
    '$x is not closed\n\nhere$',
    '\\(x is not closed\n\nhere\\)',
    '$ x $',
    '$$ $$',
  ])('finds no formula in %j', (text) => {
    expect(formulasIn(text)).toEqual([]);
  });

  it.each([
    ['so $x^2 +', ['x^2 +…']],
    ['so $5 and', []],
    ['so \\(x', ['x…']],
    ['so \\(x\\', ['x…']],
    ['$$\na + b\n', ['[[a + b…]]']],
    ['$$\na + b\n$', ['[[a + b…]]']],
    ['$$', ['[[…]]']],
    ['`$x', []],
    ['$$ not this\n\nparagraph', []],
  ])('finds the open formula of the growing %j', (text, formulas) => {
    expect(formulasIn(text, true)).toEqual(formulas);
    // A text that has ended has no open formula.
    expect(formulasIn(text)).toEqual([]);
  });

  it('keeps formulas from the rules of Markdown', () => {
    const { text, formulas } = maskFormulas('Let $a_1*b_2$ and **bold', true);
    expect(unmask(closeMarkdown(text), formulas)).toBe('Let $a_1*b_2$ and **bold**');
  });

  it.each([
    ['\\(', 500],
    ['\\[\n', 500],
    ['> \\[\n', 500],
  ])('reads a text of many unclosed %j once', (mark, count) => {
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    const { formulas } = maskFormulas(mark.repeat(count));
    const searches = exec.mock.calls.length;
    exec.mockRestore();
    expect(formulas).toEqual([]);
    expect(searches).toBeLessThan(10 * count);
  });

  it('finds no formula in a text that is too long to be rendered', () => {
    expect(maskFormulas('$x$ '.repeat(7_500)).formulas).toHaveLength(1_000);
    expect(maskFormulas('$x$ '.repeat(7_501)).formulas).toEqual([]);
  });

  it('loses no character of a text, whatever it is', () => {
    const piece = fc.constantFrom(
      '$',
      '$$',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      '\\',
      '`',
      '\n',
      ' ',
      'x',
      '5',
      '_',
      '\ue000',
      '> ',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (pieces, isGrowing) => {
        const source = pieces.join('');
        const { text, formulas } = maskFormulas(source, isGrowing);
        expect(unmask(text, formulas)).toBe(source);
        const split = splitFormulas(text, formulas).map((part) => (typeof part === 'string' ? part : part.source));
        expect(split.join('')).toBe(source);
      }),
    );
  });
});

describe('toBlocks', () => {
  it.each(['$$\na\n\nb\n$$', '\\[\na\n\nb\n\\]', '- a\n\n  $$\n  a\n\n  b\n  $$'])('keeps %j together', (formula) => {
    expect(toBlocks(`before\n\n${formula}\n\nafter`).blocks.map(({ text }) => text)).toEqual([
      'before',
      formula,
      'after',
    ]);
  });

  it('splits a text in which $$ is no formula', () => {
    expect(toBlocks('$$ is cheap\n\n$$$ is not').blocks).toHaveLength(2);
  });
});
