/** Characters that change the direction of what follows them, up to the end of the line: `U+202E` makes `fdp.exe` of `exe.pdf`. */
const overrides = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a text with marks in the place of the characters that would show it in another order than it is: for names, code and inputs, which a person
 * decides about. Prose keeps them, since languages that are written from the right use them.
 */
export function visible(text: string): string {
  return text.replace(overrides, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`);
}
