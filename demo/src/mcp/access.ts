import { createMCPSignIn, type MCPAuth } from 'brooklet/mcp';
import { pastedTokens, vaultTokens } from './vaultTokens.ts';

let onBlocked = (_address: string): void => {};

/** Sets what happens when the browser blocks the window of a sign-in. */
export function whenBlocked(callback: (address: string) => void): void {
  onBlocked = callback;
}

/** The sign-ins of this page at all servers. */
export const access = createMCPSignIn({
  redirectUri: `${location.origin}${location.pathname}`,
  clientName: 'Brooklet Studio',
  tokens: vaultTokens,
  onBlocked: (address) => onBlocked(address),
});

/** The access of this page to a server: the token that the user has pasted, else a sign-in. */
export const auth: MCPAuth = {
  token: async (origin, url) => (await pastedTokens.load(url)) ?? access.token(origin, url),
  // A pasted token that the server refuses is replaced by the user.
  renew: async (challenge) =>
    (await pastedTokens.load(challenge.url)) === undefined && (await access.renew?.(challenge)) === true,
};
