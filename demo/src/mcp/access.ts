import { createMCPSignIn, type MCPAuth, type MCPSignIn } from 'brooklet/mcp';
import { pastedTokens, vaultTokens } from './vaultTokens.ts';

type OnBlocked = (address: string) => void;

const accesses = new Map<string, MCPSignIn>();
const callbacks = new Map<string, OnBlocked>();

/** Sets what happens when the window of a sign-in at this server is not open. */
export function whenBlocked(url: string, callback: OnBlocked): void {
  callbacks.set(url, callback);
}

/** Returns the sign-ins of this page at a server. One for each server: the user may sign in at several at once, and each has its link. */
export function accessTo(url: string): MCPSignIn {
  const access =
    accesses.get(url) ??
    createMCPSignIn({
      redirectUri: `${location.origin}${location.pathname}`,
      clientName: 'Brooklet Studio',
      tokens: vaultTokens,
      onBlocked: (address) => callbacks.get(url)?.(address),
    });
  accesses.set(url, access);
  return access;
}

/** The access of this page to a server: the token that the user has pasted, else a sign-in. */
export const auth: MCPAuth = {
  token: async (origin, url) => (await pastedTokens.load(url)) ?? accessTo(url).token(origin, url),
  // A pasted token that the server refuses is replaced by the user.
  renew: async (challenge) =>
    (await pastedTokens.load(challenge.url)) === undefined &&
    (await accessTo(challenge.url).renew?.(challenge)) === true,
};
