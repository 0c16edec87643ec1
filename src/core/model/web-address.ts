/** Characters of an address that a server or a model writes. */
const longest = 4_000;

/**
 * Returns the address of a page as a browser opens it. `undefined` for what is no page, and for an address with a user name, which can look like
 * that of another page.
 */
export function toPageAddress(text: string): string | undefined {
  const url = text.length <= longest && URL.canParse(text) ? new URL(text) : undefined;
  const isPage = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && isPage && url.username === '' && url.password === '' ? url.href : undefined;
}

/** Returns an address that a page may open for a person: https, or http of this machine, without a user name. `undefined` for any other. */
export function toWebAddress(text: string): string | undefined {
  const address = toPageAddress(text);
  if (address === undefined) return undefined;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|127\.0\.0\.1)$/.test(hostname) ? address : undefined;
}
