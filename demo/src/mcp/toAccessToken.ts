/**
 * Returns the token in a text that was pasted: without spaces around it, and without the word `Bearer` of a header. `undefined` for a text with
 * characters that no header may contain.
 */
export function toAccessToken(pasted: string): string | undefined {
  const token = pasted.trim().replace(/^(?:authorization:\s*)?bearer\s+/iu, '');
  return /^[\x21-\x7e]+$/u.test(token) ? token : undefined;
}
