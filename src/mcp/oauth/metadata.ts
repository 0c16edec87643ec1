import { type AuthorizationServer as Metadata, processDiscoveryResponse } from 'oauth4webapi';
import type { JsonObject } from '../../core/json.ts';
import { toList, toObject, toText } from '../../core/model/read-json.ts';
import { excerpt } from '../errors.ts';
import type { MCPChallenge } from '../wire.ts';
import { checkAddress, checkReach } from './address.ts';
import { signInError } from './problem.ts';
import { type Fetch, getJson, toResponse } from './request.ts';

/** Where a person signs in for a server. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** RFC 8414. Invariant: its `issuer` is the one above. */
  readonly metadata: Metadata;
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
  // The library accepts a description of the address itself only; in MCP that of a folder above it is valid, too.
  if (resource.resource !== undefined && !isWithin(url, toText(resource.resource)))
    throw signInError(
      `${host} describes another server (${excerpt(resource.resource, 200)}). Its owner must correct \`resource\`.`,
    );
  const [issuer = origin] = toList(resource.authorization_servers).map(toText).filter(Boolean);
  const found = await read(placesOf(issuer));
  if (found === undefined)
    throw signInError(
      `${host} wants a token, and this page cannot find out where it is made. The owner of ${issuer} must serve /.well-known/oauth-authorization-server, for pages too (CORS).`,
    );
  // A server of MCP 2025-03-26 has no description. Its issuer is its origin, and its metadata may not name one.
  const isOld = resource.authorization_servers === undefined && found.issuer === undefined;
  const metadata = await checkIssuer(isOld ? { ...found, issuer } : found, issuer);
  // The library sends a challenge to servers that do not support it, too.
  if (!toList(found.code_challenge_methods_supported).includes('S256'))
    throw signInError(`${issuer} does not say that it supports PKCE with S256, which a page needs.`);
  for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])
    if (found[field] !== undefined) checkReach(found[field], server);
  const scopes = parameterOf(header, 'scope') || toList(resource.scopes_supported).map(toText).join(' ');
  const offline = toList(found.scopes_supported).includes('offline_access') ? ' offline_access' : '';
  return {
    issuer: metadata.issuer,
    metadata,
    resource: toText(resource.resource) || url,
    scope: scopes && !scopes.includes('offline_access') ? scopes + offline : scopes,
  };
}

/** Returns what a sign-in uses of the metadata of an issuer: the fields that were checked, so that the library finds no other endpoint. */
export function toMetadata(issuer: string, json: JsonObject): Metadata {
  return {
    issuer,
    authorization_endpoint: toText(json.authorization_endpoint),
    token_endpoint: toText(json.token_endpoint),
    ...(json.registration_endpoint === undefined ? {} : { registration_endpoint: toText(json.registration_endpoint) }),
    authorization_response_iss_parameter_supported: json.authorization_response_iss_parameter_supported === true,
    client_id_metadata_document_supported: json.client_id_metadata_document_supported === true,
  };
}

/** Returns a parameter of a `www-authenticate` header. */
export function parameterOf(header: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]{0,2000})"`).exec(header)?.[1] ?? '';
}

/** Checks that metadata describe the issuer that was asked for (RFC 8414, section 3.3). Rejects with MCPError. */
async function checkIssuer(found: JsonObject, issuer: string): Promise<Metadata> {
  try {
    const metadata = await processDiscoveryResponse(new URL(issuer), toResponse(found));
    return toMetadata(metadata.issuer, found);
  } catch {
    throw signInError(
      `${issuer} describes another issuer (${excerpt(found.issuer, 200)}). Its owner must correct \`issuer\`.`,
    );
  }
}

function isWithin(url: string, resource: string): boolean {
  const [one, other] = [new URL(url), URL.canParse(resource) ? new URL(resource) : undefined];
  return one.origin === other?.origin && `${one.pathname}/`.startsWith(other.pathname.replace(/\/?$/, '/'));
}

/** The places in the order of MCP. The library knows the first and the last of them. */
function placesOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(checkAddress(issuer));
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path ? [`${origin}${path}/.well-known/openid-configuration`] : []),
  ];
}

/** Reads the first of some places that answers. Its answer counts, and the others are not read. */
async function firstOf(fetch: Fetch, addresses: readonly string[]): Promise<JsonObject | undefined> {
  for (const address of addresses) {
    const found = await getJson(fetch, address);
    if (found) return found;
  }
  return undefined;
}
