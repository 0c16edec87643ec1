import { describe, expect, it } from 'vitest';
import { toBlocks } from '../../src/ui/markdown/blocks.ts';

const texts = (source: string): readonly string[] => toBlocks(source).blocks.map((block) => block.text);

describe('toBlocks', () => {
  it('splits at blank lines', () => {
    expect(texts('# One\n\nTwo\ngoes on\n\n\nThree\n')).toEqual(['# One', 'Two\ngoes on', 'Three']);
  });

  it('keeps a list together, with its blank lines, paragraphs and code', () => {
    const list = '1. one\n\n   more\n\n2. two\n\n   ```js\n   a\n\n   b\n   ```\n3. three';
    expect(texts(`${list}\n\nafter`)).toEqual([list, 'after']);
  });

  it('splits a long bulleted list between its items, and no numbered list', () => {
    const item = (mark: string): string => `${mark} ${'word '.repeat(100)}\n  ${mark} nested\n`;
    const bulleted = texts(item('-').repeat(40));
    expect(Math.max(...bulleted.map(({ length }) => length))).toBeLessThan(3_000);
    expect(bulleted.every((text) => text.startsWith('- word') && text.endsWith('- nested'))).toBe(true);
    expect(bulleted.join('\n')).toBe(item('-').repeat(40).trimEnd());
    expect(texts(item('1.').repeat(40))).toHaveLength(1);
  });

  it('does not split an item, nor a fence in it', () => {
    const long = `- a\n\n  \`\`\`\n${'- b\n'.repeat(1_000)}  \`\`\`\n  ${'c '.repeat(2_000)}`;
    expect(texts(long)).toHaveLength(1);
  });

  it('returns a fence as code, including its blank lines', () => {
    expect(toBlocks('Look:\n```ts title\nconst a = 1;\n\nconst b = 2;\n```\nThere.').blocks).toEqual([
      { kind: 'markdown', text: 'Look:' },
      { kind: 'code', language: 'ts', text: 'const a = 1;\n\nconst b = 2;', isClosed: true },
      { kind: 'markdown', text: 'There.' },
    ]);
  });

  it('returns a growing fence as code', () => {
    expect(toBlocks('~~~\nconst a').blocks).toEqual([{ kind: 'code', language: '', text: 'const a', isClosed: false }]);
  });

  it('does not end a fence at a shorter or different marker', () => {
    expect(texts('````\n```\n~~~~\n````\nx')).toEqual(['```\n~~~~', 'x']);
  });

  it('returns the link definitions of all blocks', () => {
    const { blocks, definitions } = toBlocks(
      'See [a] and [b].\n\n[a]: https://a.example\n[b]: <https://b.example> "B"',
    );
    expect(blocks).toHaveLength(2);
    expect([...definitions.values()]).toEqual(['[a]: https://a.example', '[b]: <https://b.example> "B"']);
  });

  it('returns each footnote as a block, with its later paragraphs', () => {
    expect(toBlocks('See[^a].\n\n[^a]: One\ntwo\n\n    three\n[^b]: Four\n\nAfter').blocks).toEqual([
      { kind: 'markdown', text: 'See[^a].' },
      { kind: 'footnote', label: 'a', text: 'One\ntwo\n\nthree' },
      { kind: 'footnote', label: 'b', text: 'Four' },
      { kind: 'markdown', text: 'After' },
    ]);
  });

  it('takes no footnote out of code', () => {
    expect(toBlocks('```\n[^a]: x\n```').blocks).toHaveLength(1);
  });

  it('changes only the last two blocks while a text grows', () => {
    const source = 'One\n\n- a\n- b\n\n```\ncode\n\ncode\n```\n\n> quote\n\n| a |\n| - |\n| b |\n\nEnd.';
    let before: readonly string[] = [];
    for (let end = 0; end <= source.length; end += 1) {
      const now = texts(source.slice(0, end));
      const finished = Math.max(0, before.length - 2);
      expect(now.slice(0, finished)).toEqual(before.slice(0, finished));
      before = now;
    }
  });

  it('takes linear time for a long text', () => {
    expect(toBlocks('a\n\n'.repeat(20_000)).blocks).toHaveLength(20_000);
  });
});
