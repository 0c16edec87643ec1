import { AgentError, fail } from '../../core/error.ts';
import type { HttpOptions } from './http-options.ts';

/** Returns the headers that carry the key, and others that the service requires. The key is empty where there is none. */
export type Authorize = (key: string) => Readonly<Record<string, string>>;

/**
 * Asks for the key and returns the headers of one request: these and the user's own, no other, since one more may fail the CORS preflight.
 * Every secret value is pushed to `secrets`. Rejects with AgentError `INVALID_CONFIG` or `AUTHENTICATION_FAILED`.
 */
export async function toHeaders(
  { apiKey = '', headers: own = {} }: Pick<HttpOptions, 'apiKey' | 'headers'>,
  origin: string,
  authorize: Authorize = asBearer,
  secrets: string[],
): Promise<Headers> {
  const key = cleanKey(typeof apiKey === 'string' ? apiKey : await requestKey(apiKey, origin));
  secrets.push(key);
  try {
    const headers = new Headers({ 'content-type': 'application/json', accept: 'text/event-stream', ...authorize(key) });
    for (const [name, value] of Object.entries(own)) {
      secrets.push(value);
      headers.set(name, value);
    }
    return headers;
  } catch {
    // The browser's own message quotes the value.
    throw new AgentError('A configured header cannot be sent: check its name and value.', { code: 'INVALID_CONFIG' });
  }
}

function asBearer(key: string): Readonly<Record<string, string>> {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

async function requestKey(apiKey: (origin: string) => string | Promise<string>, origin: string): Promise<string> {
  try {
    return await apiKey(origin);
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    // The thrown value may contain the key, so it is not attached as the cause.
    throw new AgentError(
      `There is no key for ${origin}: the apiKey function failed. Unlock the key, or enter it again.`,
      {
        code: 'AUTHENTICATION_FAILED',
      },
    );
  }
}

/**
 * Returns a pasted key without what pasting adds: spaces, newlines, quotes, `Bearer `, zero-width characters. Empty means no key.
 *
 * @throws AgentError `INVALID_CONFIG` where another character is left that no key contains. The message does not quote the key.
 */
export function cleanKey(key: unknown): string {
  const clean =
    typeof key === 'string'
      ? key
          .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
          .replace(/^[\s"'`“”‘’]*((authorization: *)?bearer +)?|[\s"'`“”‘’]+$/gi, '')
      : ' ';
  if (!/^[\x21-\x7e]{0,8191}$/.test(clean))
    fail('INVALID_CONFIG', 'The API key contains characters that no key contains. Copy it again.');
  return clean;
}
