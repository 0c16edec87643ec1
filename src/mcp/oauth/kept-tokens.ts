import { AgentError } from '../../core/error.ts';
import { isRefusal } from './problem.ts';
import { type CodeGrant, exchangeCode, type Fixed, refreshTokens, type Tokens } from './tokens.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { toText } from '../../core/model/read-json.ts';
import { readClient } from './client.ts';

/** Keeps the tokens of servers, one word for each address. A vault of `brooklet/keys` fits: see docs/mcp.md. */
export interface MCPTokenStore {
  load(url: string): Promise<string | undefined>;
  save(url: string, word: string): Promise<void>;
}

/** The tokens of servers, by address. */
export interface KeptTokens {
  load(url: string): Promise<Tokens | undefined>;
  /** Asks for tokens and keeps them. Rejects with MCPError. */
  obtain(url: string, fixed: Fixed, grant: CodeGrant): Promise<Tokens>;
  /** Asks for fresh tokens. Resolves with `undefined` where there are none. */
  refresh(url: string, old: Tokens): Promise<Tokens | undefined>;
  forget(url: string): Promise<void>;
}

export interface KeptTokensEnv {
  readonly tokens: MCPTokenStore;
  readonly fetch: typeof globalThis.fetch;
  /** Returns ms since the epoch. */
  readonly now: () => number;
}

export function createKeptTokens({ tokens, fetch, now }: KeptTokensEnv): KeptTokens {
  /** One refresh of each server at a time: many servers accept a refresh token once. */
  const refreshing = new Map<string, Promise<Tokens | undefined>>();
  /** How often the tokens of a server were forgotten. */
  const signOuts = new Map<string, number>();

  const load = async (url: string): Promise<Tokens | undefined> => fromWord((await tokens.load(url)) ?? '');

  /** Invariant: what was asked for before a sign-out is not kept. */
  async function keep(url: string, asked: Promise<Tokens>): Promise<Tokens> {
    const before = signOuts.get(url);
    const fresh = await asked;
    if (signOuts.get(url) !== before) throw new AgentError('The person has signed out meanwhile.', { code: 'ABORTED' });
    await tokens.save(url, toWord(fresh));
    return fresh;
  }

  async function refresh(url: string, old: Tokens): Promise<Tokens | undefined> {
    try {
      return await keep(url, refreshTokens(fetch, old, now()));
    } catch (error) {
      // Any other failure may be temporary: the refresh token stays.
      if (!isRefusal(error) || error.error !== 'invalid_grant') return undefined;
      const kept = await load(url);
      // Another tab may have used the refresh token first, and has fresh tokens then.
      if (kept?.refresh !== old.refresh) return kept;
      await tokens.save(url, '');
      return undefined;
    }
  }

  return {
    load,
    obtain: (url, fixed, grant) => keep(url, exchangeCode(fetch, fixed, grant, now())),
    refresh(url, old) {
      const running =
        refreshing.get(url) ??
        refresh(url, old)
          .catch(() => undefined)
          .finally(() => refreshing.delete(url));
      refreshing.set(url, running);
      return running;
    },
    forget(url) {
      signOuts.set(url, (signOuts.get(url) ?? 0) + 1);
      return tokens.save(url, '');
    },
  };
}

/** Returns tokens as one word, as a vault keeps keys. */
function toWord(tokens: Tokens): string {
  return btoa(encodeURIComponent(JSON.stringify(tokens)));
}

/** Reads what `toWord` has written; `undefined` for anything else. */
function fromWord(word: string): Tokens | undefined {
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
