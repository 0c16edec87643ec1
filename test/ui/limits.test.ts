import { describe, expect, it } from 'vitest';
import { type Block, definitionsFor, toBlocks } from '../../src/ui/markdown/blocks.ts';
import { isTooComplex } from '../../src/ui/markdown/limits.ts';
import { split } from '../../src/ui/markdown/split.ts';

const markdown = (text: string): Block => ({ kind: 'markdown', text });

describe('isTooComplex', () => {
  it.each([
    ['a list that is nested in one line', `${'- '.repeat(1_500)}a`],
    ['a numbered list that is nested in one line', `${'1. '.repeat(1_500)}a`],
    ['nested quotes', `${'>'.repeat(1_500)} a`],
    [
      'a list that is nested by indentation',
      Array.from({ length: 250 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
    ],
    ['nested emphasis', `${'**a '.repeat(2_000)}${'b** '.repeat(2_000)}`],
    ['emphasis that does not close', '*a_'.repeat(1_001)],
    ['emphasis on many lines', '*a_b*c_\n'.repeat(600)],
    ['nested images', `${'!['.repeat(101)}${'](a)'.repeat(101)}`],
    ['thousands of headings', 'a\n-\n'.repeat(2_000)],
    ['a very long paragraph', 'word '.repeat(10_000)],
  ])('is true for %s', (_name, text) => {
    expect(isTooComplex(text)).toBe(true);
  });

  it.each([
    ['a long list', '- an **item** of `a` [list](https://a.example)\n'.repeat(200)],
    ['a long table', `| a | b |\n| - | - |\n${'| **c** | d_e |\n'.repeat(300)}`],
    ['a list of eight levels', Array.from({ length: 8 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
    ['a rule', '-'.repeat(500)],
    ['a long paragraph', 'A sentence with *two* or **three** words. '.repeat(200)],
  ])('is false for %s', (_name, text) => {
    expect(isTooComplex(text)).toBe(false);
  });
});

describe('split', () => {
  it('returns the text of the blocks after the first 2,000', () => {
    const { blocks, rest } = split(Array.from({ length: 2_002 }, (_, at) => String(at)).join('\n\n'));
    expect(blocks).toHaveLength(2_000);
    expect(rest).toBe('2000\n\n2001');
  });

  it('returns the text after the first 300,000 characters, and counts what is beyond the text that is shown', () => {
    const { blocks, rest, leftOut } = split(`a\n\n${'b'.repeat(299_997)}${'c'.repeat(100_001)}`);
    expect(blocks).toHaveLength(2);
    expect(rest).toBe('c'.repeat(100_000));
    expect(leftOut).toBe(1);
  });

  it('returns shorter texts as they are', () => {
    expect(split('a\n\nb')).toMatchObject({ blocks: [markdown('a'), markdown('b')], rest: '', leftOut: 0 });
  });
});

describe('definitionsFor', () => {
  const { definitions } = toBlocks('[a]: https://a.example\n[Two  Words]: https://b.example\n[a]: https://c.example');

  it('returns the first definition of each label in the block', () => {
    expect(definitionsFor(markdown('[A], [text][two words] and [a]'), definitions)).toBe(
      '[a]: https://a.example\n[Two  Words]: https://b.example',
    );
  });

  it('returns nothing for labels without a definition, and for code', () => {
    expect(definitionsFor(markdown('[c] and (a)'), definitions)).toBe('');
    expect(definitionsFor({ kind: 'code', language: '', text: '[a]', isClosed: true }, definitions)).toBe('');
  });
});
