import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { toText } from '../../core/model/read-json.ts';
import { excerpt } from '../errors.ts';
import { type Client, readClient } from './client.ts';
import { checkAddress, readJson, signInError } from './metadata.ts';

/** What is kept for one server. */
export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  /** ms since the epoch */
  readonly expiresAt?: number;
  readonly scope: string;
  readonly endpoint: string;
  readonly resource: string;
  readonly client: Client;
}

/** What is known of tokens before they are asked for. */
export type Fixed = Pick<Tokens, 'endpoint' | 'resource' | 'client' | 'scope'>;

/** The fields of a request for tokens. */
export type Grant = Readonly<Record<string, string>>;

/** Asks a token endpoint. Rejects with MCPError. */
export async function fetchTokens(
  fetch: typeof globalThis.fetch,
  fixed: Fixed,
  grant: Grant,
  now: number,
): Promise<Tokens> {
  const { endpoint, resource, client } = fixed;
  const { id, secret, method } = client;
  const isBasic = secret !== undefined && method !== 'client_secret_post' && method !== 'none';
  const isPost = secret !== undefined && method === 'client_secret_post';
  const body = new URLSearchParams({
    ...grant,
    resource,
    ...(isBasic ? {} : { client_id: id }),
    ...(isPost ? { client_secret: secret } : {}),
  });
  const response = await fetch(checkAddress(endpoint), {
    method: 'POST',
    body,
    headers: isBasic
      ? { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` }
      : {},
    credentials: 'omit',
    redirect: 'error',
  }).catch(() => {
    throw signInError(`${endpoint} cannot be reached, or does not let this page read it (CORS).`);
  });
  const answer = await readJson(response);
  const access = toText(answer.access_token);
  if (!response.ok || access === '')
    throw signInError(
      `${endpoint} gave no token: ${excerpt(answer.error_description ?? answer.error) || response.status}. Sign in again.`,
    );
  const refresh = toText(answer.refresh_token) || grant.refresh_token;
  const { expires_in: seconds } = answer;
  return {
    ...fixed,
    scope: toText(answer.scope) || fixed.scope,
    access,
    ...(refresh ? { refresh } : {}),
    ...(typeof seconds === 'number' ? { expiresAt: now + seconds * 1_000 } : {}),
  };
}

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
