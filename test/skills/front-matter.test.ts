import { describe, expect, it } from 'vitest';
import { readFrontMatter } from '../../src/tools/skills/front-matter.ts';

const descriptionOf = (lines: string): string | undefined =>
  readFrontMatter(`---\n${lines}\n---\nBody`).textOf('description');

describe('readFrontMatter', () => {
  it.each<[name: string, lines: string, text: string]>([
    ['plain', 'description: Fills forms.', 'Fills forms.'],
    ['a colon and quotes inside', `description: Use for: "PDF" forms #1`, 'Use for: "PDF" forms'],
    ['a comment', 'description: Fills forms. # a note', 'Fills forms.'],
    ['single quotes', `description: 'It''s: # fine' # a note`, "It's: # fine"],
    ['double quotes', String.raw`description: "a \"b\" \u00e9"`, 'a "b" é'],
    ['quotes over lines', 'description: "one\n  two"', 'one two'],
    ['a plain text over lines', 'description: one\n  two\n  three', 'one two three'],
    ['a plain text below its key', 'description:\n  one\n  two', 'one two'],
    ['a folded block', 'description: >\n  one\n  two\n\n  three', 'one two\nthree'],
    ['a folded block without its last line break', 'description: >-\n  one\n  two', 'one two'],
    ['a literal block', 'description: |\n  one\n    two\n', 'one\n  two'],
    [
      'a folded block with a list',
      'description: >\n  one\n    - two\n    - three\n  four',
      'one\n  - two\n  - three\nfour',
    ],
    ['a block before a comment', 'description: |\n  one\n# note\n  # note', 'one'],
    ['a text below a comment', 'description: # note\n  # note\n  "one" # note\n# note', 'one'],
    ['empty lines in quotes', 'description: "one\n\n\n  two"', 'one\n\ntwo'],
    [
      'other keys around',
      'allowed-tools:\n- a\n- b\nmetadata:\n  author: [x]\n# note\n\ndescription: one\nlicense: *x',
      'one',
    ],
    ['Windows lines', 'name: a\r\ndescription: one\r', 'one'],
    ['nothing', 'description:', ''],
  ])('reads %s', (_name, lines, text) => {
    expect(descriptionOf(lines)).toBe(text);
  });

  it('returns the text below, and nothing for a missing field', () => {
    const { body, textOf } = readFrontMatter('\uFEFF---\nname: a\n---\n\n# Title\n---\nMore\n');
    expect(body).toBe('# Title\n---\nMore');
    expect(textOf('description')).toBeUndefined();
    expect(textOf('toString')).toBeUndefined();
    expect(readFrontMatter('---\n__proto__: x\nname: a\n---').textOf('__proto__')).toBe('x');
  });

  it.each<[text: string, message: string]>([
    ['# Title', 'has no front matter'],
    ['', 'has no front matter'],
    ['---\nname: a', 'without an end'],
    ['---\nname: a\nname: b\n---', 'the key name twice, again in line 3'],
    ['---\n\tname: a\n---', 'line 2 with a tab'],
    ['---\nname\n---', 'no `key: value` in line 2'],
    ['---\n[a]\n---', 'no `key: value` in line 2'],
  ])('refuses %j', (text, message) => {
    expect(() => readFrontMatter(text)).toThrow(message);
  });

  it.each<[lines: string, message: string]>([
    ['description: [a, b]', 'is not plain text'],
    ['description: {a: b}', 'is not plain text'],
    ['description: &x a', 'is not plain text'],
    ['description: *x', 'is not plain text'],
    ['description: !!str a', 'is not plain text'],
    ['description:\n  - a', 'is not plain text'],
    ['description:\n  a: b', 'is not plain text'],
    ['description: "a', 'has no closing quote'],
    [`description: 'a' b`, 'has no closing quote'],
    [String.raw`description: "\x41"`, 'an escape that JSON does not have'],
    ['description: >2\n    a', 'has indentation marks'],
    ['description: ] a', 'is not plain text'],
    ['description: ? a', 'is not plain text'],
    ['description:\n  a:\n    b', 'is not plain text'],
    ['description:\n  a b: c', 'is not plain text'],
    ['description:\n  # note\n  - a', 'is not plain text'],
    ['description:\n  |\n  a', 'is not plain text'],
    ['description: a # note\n  b', 'continues below a comment'],
    ['description: a\n# note\n  b', 'continues below a comment'],
    ['description: "a" # note\n  b', 'has no closing quote'],
    ['description: a\n- b', 'has a line without an indentation'],
    ['description: "a\n- b"', 'has a line without an indentation'],
    ["description: 'a\n# b'", 'has a line without an indentation'],
    ['description: |\n    a\n  b', 'is indented less than its first one'],
    ['description: |\n  a\n- b', 'is indented less than its first one'],
    ['description: >\n- a', 'is indented less than its first one'],
    ['description: >\n  a\n# note\n  b', 'is indented less than its first one'],
  ])('refuses the field %j', (lines, message) => {
    expect(() => descriptionOf(lines)).toThrow(message);
  });
});
