import { AgentError } from '../../index.ts';

/** Returns the text of a field, and empties it. A field that React controls would have the text in an attribute. */
export function takeText({ current }: { readonly current: HTMLInputElement | null }): string {
  const text = current?.value ?? '';
  if (current) current.value = '';
  return text;
}

/** Whether a key can be sent in a header. What pasting adds around it is taken off by the client and by the vault. */
export const canBeKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(trimKey(text));

/** Returns a pasted key without spaces, quotes, `Bearer ` and zero-width characters around it. */
export const trimKey = (text: string): string =>
  text
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/^[\s"'`“”‘’]*((authorization: *)?bearer +)?|[\s"'`“”‘’]+$/gi, '');

/** Returns what releases a key to one origin only: no object that a page may log or store has the key. */
export function releaseTo(origin: string, key: string): (asking: string) => Promise<string> {
  return async (asking) => {
    if (asking === origin) return key;
    throw new AgentError(`The key is for ${origin}, not for ${asking}.`, { code: 'AUTHENTICATION_FAILED' });
  };
}

/** Returns the last characters of a key of which they disclose little. */
export const lastFourOf = (key: string): string => (key.length < 20 ? '' : key.slice(-4));

/** Returns the origin of an address; `undefined` where the address has none that a page can send to. */
export function originOf(baseURL: string): string | undefined {
  if (!URL.canParse(baseURL)) return undefined;
  const { origin, protocol } = new URL(baseURL);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}
