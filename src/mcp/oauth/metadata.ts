import type { Json, JsonObject } from '../../core/json.ts';
import { toList, toObject, toText } from '../../core/model/read-json.ts';
import { isLocalHost } from '../../llm/transport/address.ts';
import { excerpt, MCPError } from '../errors.ts';
import { parseMessage, readAll } from '../read-body.ts';
import type { MCPChallenge } from '../wire.ts';

type Fetch = typeof globalThis.fetch;

/** Where a person signs in for a server. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** RFC 8414. Invariant: its `issuer` is the one above. */
  readonly metadata: JsonObject;
  /** The server for which tokens are made (RFC 8707). */
  readonly resource: string;
  readonly scope: string;
}

/** Finds out where a person signs in (RFC 9728, RFC 8414, OpenID Connect Discovery). Rejects with MCPError. */
export async function discover(
  fetch: Fetch,
  { url, header }: Pick<MCPChallenge, 'url' | 'header'>,
): Promise<AuthorizationServer> {
  const server = new URL(url);
  const { origin, pathname, host } = server;
  const read = (addresses: readonly string[]): Promise<JsonObject | undefined> =>
    firstOf(
      fetch,
      addresses.map((address) => checkReach(address, server)),
    );
  const path = pathname.replace(/\/$/, '');
  const named = parameterOf(header, 'resource_metadata');
  const known = `${origin}/.well-known/oauth-protected-resource`;
  const resource = toObject(await read(named ? [named] : [known + path, known]));
  if (resource.resource !== undefined && !isWithin(url, toText(resource.resource)))
    throw signInError(
      `${host} describes another server (${excerpt(resource.resource, 200)}). Its owner must correct \`resource\`.`,
    );
  const [issuer = origin] = toList(resource.authorization_servers).map(toText).filter(Boolean);
  const metadata = await read(placesOf(issuer));
  if (metadata === undefined)
    throw signInError(
      `${host} wants a token, and this page cannot find out where it is made. The owner of ${issuer} must serve /.well-known/oauth-authorization-server, for pages too (CORS).`,
    );
  // Without a description of the server the issuer is its origin, also where the metadata does not name one (RFC 8414, section 3.3).
  const claimed = metadata.issuer ?? (resource.authorization_servers === undefined ? issuer : undefined);
  if (withoutSlash(claimed) !== withoutSlash(issuer))
    throw signInError(
      `${issuer} describes another issuer (${excerpt(metadata.issuer, 200)}). Its owner must correct \`issuer\`.`,
    );
  if (!toList(metadata.code_challenge_methods_supported).includes('S256'))
    throw signInError(`${issuer} does not say that it supports PKCE with S256, which a page needs.`);
  for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])
    if (metadata[field] !== undefined) checkReach(metadata[field], server);
  const scopes = parameterOf(header, 'scope') || toList(resource.scopes_supported).map(toText).join(' ');
  const offline = toList(metadata.scopes_supported).includes('offline_access') ? ' offline_access' : '';
  return {
    issuer: toText(metadata.issuer) || issuer,
    metadata,
    resource: toText(resource.resource) || url,
    scope: scopes && !scopes.includes('offline_access') ? scopes + offline : scopes,
  };
}

export function signInError(message: string): MCPError {
  return new MCPError('sign-in', message, { code: 'AUTHENTICATION_FAILED' });
}

/** Returns a parameter of a `www-authenticate` header. */
export function parameterOf(header: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]{0,2000})"`).exec(header)?.[1] ?? '';
}

function isWithin(url: string, resource: string): boolean {
  const [one, other] = [new URL(url), URL.canParse(resource) ? new URL(resource) : undefined];
  return one.origin === other?.origin && `${one.pathname}/`.startsWith(other.pathname.replace(/\/?$/, '/'));
}

function placesOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(checkAddress(issuer));
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path ? [`${origin}${path}/.well-known/openid-configuration`] : []),
  ];
}

/** @throws MCPError for an address that is neither https nor http on this machine */
export function checkAddress(address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  const isNear = url?.protocol === 'http:' && isThisMachine(url);
  if (url && (url.protocol === 'https:' || isNear)) return url.href;
  throw signInError(
    `${excerpt(address, 200) || 'An address'} is no safe address to sign in at: its owner must use https.`,
  );
}

/**
 * Returns an address at which a person may sign in for a server. Invariant: a server of the internet leads to no address of this machine or
 * the local network, of which it would have this page send requests.
 *
 * @throws MCPError
 */
function checkReach(address: unknown, server: URL): string {
  const url = new URL(checkAddress(address));
  if (!isLocalHost(url.hostname) || isLocalHost(server.hostname)) return url.href;
  throw signInError(
    `${server.host} leads to an address of this machine or network (${url.host}), which is not followed.`,
  );
}

/** Issuers that differ by their last slash only are the same: some libraries add one. */
const withoutSlash = (issuer: Json | undefined): string => toText(issuer).replace(/\/$/, '');

export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

async function firstOf(fetch: Fetch, addresses: readonly string[]): Promise<JsonObject | undefined> {
  for (const address of addresses) {
    const response = await fetch(checkAddress(address), { credentials: 'omit', redirect: 'error' }).catch(
      () => undefined,
    );
    if (response?.ok) return readJson(response);
  }
  return undefined;
}

/** Reads a small JSON object. Rejects with MCPError. */
export async function readJson(response: Response): Promise<JsonObject> {
  try {
    return parseMessage(await readAll({ stream: response.body, maxBytes: 262_144 }));
  } catch {
    throw signInError(`${response.url} answered ${response.status} with something that is no JSON object.`);
  }
}
