import type { MCPTokenStore } from 'brooklet/mcp';
import { filter, firstValueFrom } from 'rxjs';
import { vault } from '../keys/vault.ts';

/**
 * Keeps the tokens of servers in the vault, each under the address of its server. `load` rejects with `AUTHENTICATION_LOCKED` while a token is
 * stored and locked.
 */
export const vaultTokens: MCPTokenStore = {
  load: (url) => load(url, url),
  save: (url, word) => save(url, word, url),
};

/** Keeps the tokens that the user has pasted, beside those of sign-ins. */
export const pastedTokens: MCPTokenStore = {
  load: (url) => load(pastedId(url), url),
  save: (url, token) => save(pastedId(url), token, url),
};

/** Returns the id under which the vault has the token that the user has pasted for a server. */
export function pastedId(url: string): string {
  return `token ${url}`;
}

async function load(id: string, url: string): Promise<string | undefined> {
  const { keys } = await firstValueFrom(vault.state$.pipe(filter(({ status }) => status !== 'opening')));
  return keys.some((key) => key.id === id) ? vault.keyFor(id)(new URL(url).origin) : undefined;
}

async function save(id: string, secret: string, url: string): Promise<void> {
  if (secret === '') await vault.remove(id);
  else await vault.add(id, secret, { baseURL: url });
}
