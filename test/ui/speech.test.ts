import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFinished, toSpeech } from '../../src/ui/notice/speech.ts';
import { english } from 'brooklet/ui';

const speak = (markdown: string): string => toSpeech(markdown, english.announcer);

describe('toSpeech', () => {
  it.each([
    ['**Bold**, *soft* and `code`.', 'Bold, soft and code.'],
    ['## A heading', 'A heading'],
    ['- one\n- [x] two', 'one two'],
    ['1. first', 'first'],
    ['> quoted', 'quoted'],
    ['[the guide](https://a.example/b "c") here', 'the guide here'],
    ['![a brook](https://a.example/b.png)', 'a brook'],
    ['See <https://a.example/b/c>.', 'See a.example.'],
    ['| a | b |\n| - | - |\n| 1 | 2 |', 'a, b 1, 2'],
    ['Before.\n\n```ts\nconst a = 1;\n```\n\nAfter.', 'Before. A block of code, ts. After.'],
    ['~~~\nplain\n~~~', 'A block of code.'],
    ['snake_case stays, _this_ goes', 'snake_case stays, this goes'],
    ['2 * 3 is 6', '2 * 3 is 6'],
  ])('reads %j', (markdown, spoken) => {
    expect(speak(markdown)).toBe(spoken);
  });
});

describe('countFinished', () => {
  it.each([
    ['One. Tw', 'One.'],
    ['One. Two! Thr', 'One. Two!'],
    ['Pi is 3.', ''],
    ['Pi is 3.14 or so. A', 'Pi is 3.14 or so.'],
    ['它在这里。然后', '它在这里。'],
    ['A line\nan', 'A line\n'],
    ['Look.\n```ts\nconst a = 1. + 2;\n', 'Look.\n'],
    ['Look.\n```ts\nconst a = 1;\n```\nEnd', 'Look.\n```ts\nconst a = 1;\n```\n'],
  ])('finds the whole sentences of %j', (text, finished) => {
    expect(text.slice(0, countFinished(text))).toBe(finished);
  });

  it('never goes back when the text grows', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', ' ', '. ', '。', '\n', '```\n', '**', '3.')), (pieces) => {
        let before = 0;
        for (let at = 0; at <= pieces.length; at += 1) {
          const count = countFinished(pieces.slice(0, at).join(''));
          expect(count).toBeGreaterThanOrEqual(before);
          before = count;
        }
      }),
    );
  });
});
