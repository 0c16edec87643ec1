import { AgentError } from '../../core/error.ts';

/** Where requests go, checked. */
export interface Address {
  readonly url: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** What a key is bound to. */
  readonly origin: string;
}

// A parsed URL ends in a number only where it is an IPv4 address.
const thisMachine = /^((.+\.)?localhost|127\.[\d.]+|\[::1\])$/;
const localNetwork = /^((10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+|\[f[cde].+|[^.[]+|.+\.(local|lan|internal))$/;

/**
 * Checks a base URL and puts a path behind it. A base URL that has the path already is taken as it is, for people paste that too.
 *
 * https anywhere; http on this machine only, and in the local network where `allowLan` says so. No user, no fragment,
 * no query but Azure's `api-version`.
 *
 * @throws AgentError `INVALID_CONFIG`
 */
export function toAddress(baseURL: string, path: string, allowLan = false): Address {
  const { protocol, hostname, host, origin, pathname, search, username, password, hash } = parse(baseURL);
  if (username || password || hash || (search && !/^\?api-version=[\w.-]+$/.test(search))) {
    throw refuse(`The base URL for ${host} has a user, a query or a "#": take that out.`);
  }
  const near = thisMachine.test(hostname) || (allowLan && localNetwork.test(hostname));
  if (protocol !== 'https:' && !(protocol === 'http:' && near)) {
    throw refuse(
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
    throw refuse('The base URL is none. It looks like https://api.example.com/v1.');
  }
}

function refuse(message: string): AgentError {
  return new AgentError(message, { code: 'INVALID_CONFIG' });
}
