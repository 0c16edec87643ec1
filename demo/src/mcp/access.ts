import { createMCPSignIn } from 'brooklet/mcp';
import { vaultTokens } from './vaultTokens.ts';

let onBlocked = (_address: string): void => {};

/** Sets what happens when the browser blocks the window of a sign-in. */
export function whenBlocked(callback: (address: string) => void): void {
  onBlocked = callback;
}

/** The access of this page to all servers. */
export const access = createMCPSignIn({
  redirectUri: `${location.origin}${location.pathname}`,
  clientName: 'Brooklet Studio',
  tokens: vaultTokens,
  onBlocked: (address) => onBlocked(address),
});
