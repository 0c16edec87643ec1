import type { MCPTokenStore } from 'brooklet/mcp';
import { filter, firstValueFrom } from 'rxjs';
import { vault } from '../keys/vault.ts';

/**
 * Keeps the tokens of servers in the vault, each under the address of its server. `load` rejects with `AUTHENTICATION_LOCKED` while a token is
 * stored and locked.
 */
export const vaultTokens: MCPTokenStore = {
  async load(url) {
    const { keys } = await firstValueFrom(vault.state$.pipe(filter(({ status }) => status !== 'opening')));
    return keys.some(({ id }) => id === url) ? vault.keyFor(url)(new URL(url).origin) : undefined;
  },
  async save(url, word) {
    if (word === '') await vault.remove(url);
    else await vault.add(url, word, { baseURL: url });
  },
};
