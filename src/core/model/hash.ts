const room = 36 ** 9;

/** Returns nine letters and digits for a text: the same for the same text. It tells texts apart; it is no protection against forgery. */
export function hash(text: string): string {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % room;
  return sum.toString(36).padStart(9, '0');
}

const known = new WeakMap<object, string>();

/** Returns the `contentId` of a value that is never changed, computed once for each identity. */
export function contentIdOf(value: object): string {
  const id = known.get(value) ?? hash(JSON.stringify(value));
  known.set(value, id);
  return id;
}
