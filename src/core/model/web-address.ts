/** Characters of an address that a server or a model writes. */
const longest = 4_000;

/** Returns an address that a page may open for a person: https, or http of this machine, without a user name. `undefined` for any other. */
export function toWebAddress(text: string): string | undefined {
  const url = text.length <= longest && URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname));
  return url && isSafe && url.username === '' && url.password === '' ? url.href : undefined;
}
