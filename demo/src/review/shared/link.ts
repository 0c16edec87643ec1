/** What a link to an encrypted conversation contains. Its fragment has all of it: a browser sends no fragment to a server. */
export interface SharedLink {
  readonly key: string;
  /** Where the encrypted file is; missing where the reader has the file. */
  readonly address?: string;
}

/** Returns the address of this page for a link. */
export function toLink({ key, address }: SharedLink): string {
  const place = address === undefined ? '' : `/${encodeURIComponent(address)}`;
  return `${location.origin}${location.pathname}#/shared/${key}${place}`;
}

/** Parses what follows `#/shared/`. Returns `undefined` for a link that was cut or changed. */
export function parseLink(path: string): SharedLink | undefined {
  const [, key, place] = /^([\w-]{43})(?:\/([^/]+))?$/u.exec(path) ?? [];
  if (key === undefined) return undefined;
  if (place === undefined) return { key };
  try {
    const address = decodeURIComponent(place);
    return isFileAddress(address) ? { key, address } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a page may load a file from an address: `https:`, or `http:` on this computer. */
export function isFileAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1'));
}
