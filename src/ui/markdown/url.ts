const schemes = new Set(['https:', 'http:', 'mailto:']);

/**
 * Returns the normalized URL if it is safe to link, else `undefined`. Safe: absolute, http, https or mailto, without spaces,
 * control characters (`java\tscript:`) and user names (`https://bank.example@evil.example`).
 */
export function safeURL(url: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is searched for
  if (/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\\]/u.test(url)) return undefined;
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!schemes.has(parsed.protocol) || parsed.username !== '' || parsed.password !== '') return undefined;
  return parsed.href;
}

/** Returns the host of a picture, or `undefined` if the URL is not safe. */
export function pictureHost(url: string): string | undefined {
  const safe = safeURL(url);
  if (safe === undefined || safe.startsWith('mailto:')) return undefined;
  return new URL(safe).host;
}
