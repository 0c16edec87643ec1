import { isLocalHost } from '../../llm/transport/address.ts';
import { excerpt } from '../errors.ts';
import { signInError } from './problem.ts';

/**
 * Returns an address to which a request of a sign-in may go.
 *
 * @throws MCPError for an address that is neither https nor http on this machine
 */
export function checkAddress(address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  const isNear = url?.protocol === 'http:' && isThisMachine(url);
  if (url && (url.protocol === 'https:' || isNear)) return url.href;
  throw signInError(
    `${excerpt(address, 200) || 'An address'} is not a safe address to sign in at: its owner must use https.`,
  );
}

/**
 * Returns an address at which a person may sign in for a server. Invariant: a server of the internet leads to no address of this machine or
 * the local network, to which this page would send requests. The library has no such check: it is made for servers that are known.
 *
 * @throws MCPError
 */
export function checkReach(address: unknown, server: URL): string {
  const url = new URL(checkAddress(address));
  if (!isLocalHost(url.hostname) || isLocalHost(server.hostname)) return url.href;
  throw signInError(
    `${server.host} leads to an address of this machine or network (${url.host}), which is not followed.`,
  );
}

export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
