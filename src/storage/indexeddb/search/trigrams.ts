// A text's signature: a set of bits, one for each n-gram of one to three characters within its words. A search tests first
// whether a text may contain all n-grams of a word, wherever in a word and in every language.

/** Different n-gram numbers; further n-grams share them. */
const numbers = 8_192;

/** Bytes of a signature. */
export const signatureSize: number = numbers / 8;

/** From this code unit on (Chinese, Japanese, Korean, emoji) one character carries about as much as three of other scripts. */
const denseFrom = 0x2e80;

/** Trigrams per word of a search: each one makes a false match some five times less likely. */
const maxPerWord = 6;
/** Trigrams per search. */
const maxPerSearch = 16;

/** Returns the signature of a text: a bit for each n-gram. */
export function toSignature(text: string): Uint8Array {
  const bits = new Uint8Array(signatureSize);
  visitTrigrams(text, (trigram) => {
    bits[trigram >> 3] = (bits[trigram >> 3] ?? 0) | (1 << (trigram & 7));
  });
  return bits;
}

/** Returns the bits that the signature of every text with these words has set, preferring the longest n-grams. */
export function toTrigrams(words: readonly string[]): readonly number[] {
  const chosen = words.flatMap((word) => {
    const found: { readonly trigram: number; readonly length: number }[] = [];
    visitTrigrams(word, (trigram, length) => found.push({ trigram, length }));
    return found.sort((a, b) => b.length - a.length).slice(0, maxPerWord);
  });
  return Array.from(new Set(chosen.map(({ trigram }) => trigram))).slice(0, maxPerSearch);
}

/** Calls `visit` for each n-gram within a word. Invariant: the n-grams of a piece of a word are n-grams of the word. */
function visitTrigrams(text: string, visit: (trigram: number, length: number) => void): void {
  /** The two characters before the present one; 0 where the word has none. */
  let [second, first] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char <= 32) {
      second = first = 0;
      continue;
    }
    if (char >= denseFrom) visit(toNumber(0, 0, char), 1);
    if (first > 0) visit(toNumber(0, first, char), 2);
    if (second > 0 && Math.max(second, first, char) < denseFrom) visit(toNumber(second, first, char), 3);
    second = first;
    first = char;
  }
}

/** Spreads n-grams over all numbers. Invariant: never changed, because signatures are stored on disks. */
function toNumber(a: number, b: number, c: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 19;
}
