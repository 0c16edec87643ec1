import { fetchTokens, type Fixed, fromWord, type Grant, type Tokens, toWord } from './tokens.ts';

/** Keeps the tokens of servers, one word for each address. A vault of `brooklet/keys` fits: see docs/mcp.md. */
export interface MCPTokenStore {
  load(url: string): Promise<string | undefined>;
  save(url: string, word: string): Promise<void>;
}

/** The tokens of servers, by address. */
export interface KeptTokens {
  load(url: string): Promise<Tokens | undefined>;
  /** Asks for tokens and keeps them. Rejects with MCPError. */
  obtain(url: string, fixed: Fixed, grant: Grant): Promise<Tokens>;
  /** Asks for fresh tokens. Resolves with `undefined` where there are none to be had. */
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

  async function obtain(url: string, fixed: Fixed, grant: Grant): Promise<Tokens> {
    const fresh = await fetchTokens(fetch, fixed, grant, now());
    await tokens.save(url, toWord(fresh));
    return fresh;
  }

  function refresh(url: string, { refresh: token = '', ...old }: Tokens): Promise<Tokens | undefined> {
    return obtain(url, old, { grant_type: 'refresh_token', refresh_token: token }).catch(() => undefined);
  }

  return {
    load: async (url) => fromWord((await tokens.load(url)) ?? ''),
    obtain,
    refresh(url, old) {
      const running = refreshing.get(url) ?? refresh(url, old).finally(() => refreshing.delete(url));
      refreshing.set(url, running);
      return running;
    },
    forget: (url) => tokens.save(url, ''),
  };
}
