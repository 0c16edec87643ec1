import { AgentError } from '../../core/error.ts';

/** The checked address of an endpoint. */
export interface Address {
  readonly url: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** The origin that a key is bound to. */
  readonly origin: string;
}

// A parsed host ends in a number only where it is an IPv4 address.
const thisMachine = /^((.+\.)?localhost|127\.[\d.]+|\[::1\])$/;
const localNetwork = /^((10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+|\[f[cde].+|[^.[]+|.+\.(local|lan|internal))$/;

const unspecified = /^(0\.[\d.]+|169\.254\.[\d.]+|\[::\]|\[::ffff:.+\]|.+\.home\.arpa)$/;

/** Whether a parsed host is this machine, or one of a private network. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  return [thisMachine, localNetwork, unspecified].some((pattern) => pattern.test(host));
}

/**
 * Checks a base URL and appends a path. A base URL that ends with the path already stays as it is, since people paste that form too.
 *
 * Allowed are https anywhere, http on this machine, and http in the local network where `allowLan` is set; no user, no fragment, no
 * query except Azure's `api-version`.
 *
 * @throws AgentError `INVALID_CONFIG`
 */
export function toAddress(baseURL: string, path: string, allowLan = false): Address {
  const { protocol, hostname, host, origin, pathname, search, username, password, hash } = parse(baseURL);
  if (username || password || hash || (search && !/^\?api-version=[\w.-]+$/.test(search))) {
    throw invalid(`The base URL for ${host} has a user, a query or a "#": remove it.`);
  }
  const isNear = thisMachine.test(hostname) || (allowLan && localNetwork.test(hostname));
  if (protocol !== 'https:' && !(protocol === 'http:' && isNear)) {
    throw invalid(
      `${protocol} is not safe for ${host}. Use https:, or http: on this machine (allowLan: in your network).`,
    );
  }
  const base = pathname.replace(/\/+$/, '');
  return { url: `${origin}${base.endsWith(path) ? base : base + path}${search}`, host, origin };
}

function parse(baseURL: string): URL {
  try {
    return new URL(baseURL);
  } catch {
    // The value is not quoted: a key may have been pasted in its place.
    throw invalid('The base URL is not a URL: pass one like https://api.example.com/v1.');
  }
}

function invalid(message: string): AgentError {
  return new AgentError(message, { code: 'INVALID_CONFIG' });
}
