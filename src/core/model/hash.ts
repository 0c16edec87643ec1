const modulus = 36 ** 9;

/** Returns a hash of nine letters and digits. Distinguishes texts; not cryptographic, so no protection against forgery. */
export function hash(text: string): string {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + Number(char.codePointAt(0))) % modulus;
  return sum.toString(36).padStart(9, '0');
}

const known = new WeakMap<object, string>();

/** Returns the `contentId` of a value that is never changed, computed once for each identity. */
export function contentIdOf(value: object): string {
  const id = known.get(value) ?? hash(JSON.stringify(value));
  known.set(value, id);
  return id;
}
