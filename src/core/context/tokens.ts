/** Kinds of characters that tokenizers distinguish. */
const kind = {
  small: 0,
  capital: 1,
  digit: 2,
  space: 3,
  newline: 4,
  sign: 5,
  han: 6,
  kana: 7,
  hangul: 8,
  wideSign: 9,
  surrogate: 10,
  other: 11,
} as const;

/** Tokens of one character, for kinds whose characters are counted one by one. */
const perCharacter: Readonly<Record<number, number>> = {
  [kind.han]: 0.8,
  [kind.kana]: 0.75,
  [kind.hangul]: 0.8,
  [kind.wideSign]: 1,
  // Half of an emoji. Some emoji are one token, most are more.
  [kind.surrogate]: 1.2,
  // Greek, Cyrillic, Arabic, Devanagari, …
  [kind.other]: 0.5,
};

const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return kind.small;
  if (/[A-Z]/.test(char)) return kind.capital;
  if (/\d/.test(char)) return kind.digit;
  if (/[\r\n]/.test(char)) return kind.newline;
  return /\s/.test(char) ? kind.space : kind.sign;
});

function kindOf(code: number): number {
  if (code < 0x80) return ascii[code] ?? kind.sign;
  if (code < 0xc0) return kind.sign;
  if (code < 0x250) return kind.small;
  if (code < 0x2000) return kind.other;
  if (code < 0x2e80 || (code >= 0x3000 && code < 0x3040)) return kind.wideSign;
  if (code < 0x3400 && code >= 0x3040) return kind.kana;
  if (code < 0xa000 || (code >= 0xf900 && code < 0xfb00)) return kind.han;
  if (code >= 0xac00 && code < 0xd7b0) return kind.hangul;
  if (code >= 0xd800 && code < 0xe000) return kind.surrogate;
  return code >= 0xff00 && code < 0xfff0 ? kind.wideSign : kind.other;
}

/**
 * Returns the estimated tokens of a text, in one pass and without a tokenizer. The text is cut where current tokenizers cut (words with
 * their space, humps of camelCase, digits by three, runs of signs); the tokens of each piece are fitted to o200k. docs/context.md states
 * the error of the estimate.
 */
export function estimateText(text: string): number {
  let tokens = 0;
  let before: number = kind.newline;
  for (let at = 0; at < text.length;) {
    const first = kindOf(text.charCodeAt(at));
    let end = at + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === first) end++;
    let length = end - at;
    const after = end < text.length ? kindOf(text.charCodeAt(end)) : undefined;
    switch (first) {
      case kind.capital:
        if (after === kind.small) {
          // A hump of camelCase includes its small letters.
          while (end < text.length && kindOf(text.charCodeAt(end)) === kind.small) end++;
          length = end - at;
          tokens += word(length);
        } else tokens += length === 1 ? 1 : Math.max(1, length / 3.2);
        break;
      case kind.small:
        // Letters next to digits are part of a hash, not a word.
        tokens += before === kind.digit || after === kind.digit ? Math.max(1, length / 2) : word(length);
        break;
      case kind.digit:
        tokens += Math.ceil(length / 3);
        break;
      case kind.space:
        // A single space before a word is part of the word; the longest token of blanks has about 80.
        if (after === undefined || after === kind.newline) tokens += Math.max(0.5, length / 80);
        else tokens += length > 1 || after === kind.digit ? Math.max(1, length / 80) : 0;
        break;
      case kind.newline:
        tokens += before === kind.sign ? 0.3 : 1;
        break;
      case kind.sign: {
        const isBeforeWord = after === kind.small || after === kind.capital;
        if (length === 1) tokens += isBeforeWord ? 0.5 : 1;
        else tokens += Math.max(1, length / 2.6) + (isBeforeWord ? 0.2 : 0);
        break;
      }
      default:
        tokens += length * (perCharacter[first] ?? 1);
    }
    before = first;
    at = end;
  }
  return Math.ceil(tokens);
}

/** Returns the tokens of a word: one, and one more for each four letters beyond eight. */
function word(length: number): number {
  return length <= 8 ? 1 : 1 + (length - 8) / 4;
}
