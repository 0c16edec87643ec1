import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeMarkdown } from '../../src/ui/markdown/closeMarkdown.ts';

describe('closeMarkdown', () => {
  it.each([
    ['That is the art: *do not argue with the h', 'That is the art: *do not argue with the h*'],
    ['**bo', '**bo**'],
    ['**bold*', '**bold**'],
    ['**bold and *both', '**bold and *both***'],
    ['***all', '***all***'],
    ['~~gone', '~~gone~~'],
    ['_soft', '_soft_'],
    ['a snake_case', 'a snake_case'],
    ['Use `cod', 'Use `cod`'],
    ['Use ``a ` b', 'Use ``a ` b``'],
    ['Use `', 'Use '],
    ['Use ``a`', 'Use ``a``'],
    ['Use `a``', 'Use `a`'],
    ['the key `[` ope', 'the key `[` ope'],
    ['[the `cod', 'the `cod`'],
    ['[[twice', 'twice'],
    ['**Not closed\n\n', '**Not closed\n\n'],
    ['Next comes **', 'Next comes '],
    ['2 * 3', '2 * 3'],
    ['`a * b` is', '`a * b` is'],
    ['[the guide](https://exam', 'the guide'],
    ['[the gui', 'the gui'],
    ['![a pict', 'a pict'],
    ['[done](https://a.example) and', '[done](https://a.example) and'],
    ['A sentence\n-', 'A sentence'],
    ['A sentence\n===', 'A sentence'],
    ['* one\n* **tw', '* one\n* **tw**'],
    ['Done **before**.\n\nNow *this', 'Done **before**.\n\nNow *this*'],
    ['\\*not open', '\\*not open'],
  ])('closes %j', (text, closed) => {
    expect(closeMarkdown(text)).toBe(closed);
  });

  it('leaves a complete text as it is', () => {
    const whole = 'A **bold** and *soft* `text`, [linked](https://a.example), ~~gone~~.';
    expect(closeMarkdown(whole)).toBe(whole);
  });

  it('adds nothing to what it has closed', () => {
    const piece = fc.constantFrom('a', ' ', '*', '**', '_', '`', '~~', '[', '](', ')', '\n', 'b.');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const closed = closeMarkdown(pieces.join(''));
        expect(closeMarkdown(closed).length).toBeLessThanOrEqual(closed.length);
      }),
    );
  });
});
