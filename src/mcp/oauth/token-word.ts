import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { toText } from '../../core/model/read-json.ts';
import { readClient } from './client.ts';
import type { Tokens } from './tokens.ts';

/** Returns tokens as one word, as a vault keeps keys. */
export function toWord(tokens: Tokens): string {
  return btoa(encodeURIComponent(JSON.stringify(tokens)));
}

/** Reads what `toWord` has written; `undefined` for anything else. */
export function fromWord(word: string): Tokens | undefined {
  try {
    const value = parseJson(decodeURIComponent(atob(word)));
    return isJsonObject(value) ? readTokens(value) : undefined;
  } catch {
    return undefined;
  }
}

function readTokens(value: JsonObject): Tokens | undefined {
  const { access, refresh, expiresAt, scope, endpoint, resource } = value;
  const client = isJsonObject(value.client) ? readClient(value.client) : undefined;
  if (typeof access !== 'string' || client === undefined) return undefined;
  return {
    access,
    scope: toText(scope),
    endpoint: toText(endpoint),
    resource: toText(resource),
    client,
    ...(typeof refresh === 'string' ? { refresh } : {}),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
  };
}
