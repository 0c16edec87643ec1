// What a text may contain, told from a few bytes: the pieces of one to three characters in it, as bits. Who looks for a word looks
// first whether all of its pieces may be there, wherever in a word it stands, and in every language.

/** Different numbers of pieces; more pieces than that share them. */
const numbers = 8_192;

/** Bytes of a signature. */
export const signatureSize: number = numbers / 8;

/** From here on (Chinese, Japanese, Korean, pictures) one character says about as much as three of other scripts. */
const dense = 0x2e80;

/** At most so many pieces of a word are looked for: with each of them a chance to be wrong becomes some five times smaller. */
const mostOfWord = 6;
const most = 16;

/** A bit for each piece of a text. */
export function toSignature(text: string): Uint8Array {
  const bits = new Uint8Array(signatureSize);
  visit(text, (gram) => {
    bits[gram >> 3] = (bits[gram >> 3] ?? 0) | (1 << (gram & 7));
  });
  return bits;
}

/** The bits that the signature of a text with these words has, the most telling of them. */
export function toTrigrams(words: readonly string[]): readonly number[] {
  const chosen = words.flatMap((word) => {
    const found: { readonly gram: number; readonly length: number }[] = [];
    visit(word, (gram, length) => found.push({ gram, length }));
    return found.sort((a, b) => b.length - a.length).slice(0, mostOfWord);
  });
  return Array.from(new Set(chosen.map(({ gram }) => gram))).slice(0, most);
}

/** Tells of each piece within a word; a piece of a word has some of its pieces and no others. */
function visit(text: string, tell: (gram: number, length: number) => void): void {
  /** Those before the present one; 0: none in this word. */
  let [second, first] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char <= 32) {
      second = first = 0;
      continue;
    }
    if (char >= dense) tell(toNumber(0, 0, char), 1);
    if (first > 0) tell(toNumber(0, first, char), 2);
    if (second > 0 && Math.max(second, first, char) < dense) tell(toNumber(second, first, char), 3);
    second = first;
    first = char;
  }
}

/** Spread over all numbers; never changed, because signatures lie on disks. */
function toNumber(a: number, b: number, c: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 19;
}
