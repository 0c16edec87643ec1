import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, serve, type Served } from './serve.ts';

export interface OAuthServer extends Served {
  /** Tokens that were given out, and the scopes of each. */
  readonly given: Map<string, string>;
  /** Requests to the token endpoint. */
  readonly grants: URLSearchParams[];
  readonly registered: unknown[];
  /** Makes all access tokens invalid; refresh tokens stay valid. */
  expire(): void;
  /** Answers a request without a valid token by itself. Returns whether it did. */
  guards(request: IncomingMessage, response: ServerResponse, resource: string): boolean;
}

export interface OAuthOptions {
  /** Replaces fields of the metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The `iss` of an answer. Default: the issuer. */
  readonly iss?: string | null;
  /** Headers of the page in which the person signs in. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A small authorization server, which lets everybody in, and checks what an OAuth 2.1 server checks. */
export async function serveOAuth({ metadata = {}, iss, headers = {} }: OAuthOptions = {}): Promise<OAuthServer> {
  const given = new Map<string, string>();
  const refreshable = new Map<string, string>();
  const grants: URLSearchParams[] = [];
  const registered: unknown[] = [];
  const codes = new Map<string, URLSearchParams>();
  const json = (response: ServerResponse, body: object, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const served = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', served.origin);
    if (pathname === '/.well-known/oauth-authorization-server')
      return json(response, {
        issuer: served.origin,
        authorization_endpoint: `${served.origin}/authorize`,
        token_endpoint: `${served.origin}/token`,
        registration_endpoint: `${served.origin}/register`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      });
    if (pathname === '/register') {
      registered.push(JSON.parse(await bodyOf(request)));
      return json(response, { client_id: `client-${registered.length}` }, 201);
    }
    if (pathname === '/authorize') {
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const from = iss === undefined ? served.origin : iss;
      const query = { code, state: searchParams.get('state') ?? '', ...(from === null ? {} : { iss: from }) };
      for (const [name, value] of Object.entries(query)) back.searchParams.set(name, value);
      return void response.writeHead(302, { ...headers, location: back.href }).end();
    }
    if (pathname !== '/token') return void response.writeHead(404).end();
    const grant = new URLSearchParams(await bodyOf(request));
    grants.push(grant);
    const asked = codes.get(grant.get('code') ?? '');
    codes.delete(grant.get('code') ?? '');
    const old = refreshable.get(grant.get('refresh_token') ?? '');
    refreshable.delete(grant.get('refresh_token') ?? '');
    const isProved =
      asked !== undefined &&
      asked.get('code_challenge') ===
        createHash('sha256')
          .update(grant.get('code_verifier') ?? '')
          .digest('base64url') &&
      asked.get('redirect_uri') === grant.get('redirect_uri') &&
      asked.get('client_id') === grant.get('client_id') &&
      asked.get('resource') === grant.get('resource');
    if (!isProved && old === undefined) return json(response, { error: 'invalid_grant' }, 400);
    const [token, refresh, scope] = [randomUUID(), randomUUID(), old ?? asked?.get('scope') ?? ''];
    given.set(token, scope);
    refreshable.set(refresh, scope);
    return json(response, {
      access_token: token,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
    });
  });

  return {
    ...served,
    given,
    grants,
    registered,
    expire: () => given.clear(),
    guards(request, response, resource) {
      const { origin } = new URL(resource);
      const known = `${origin}/.well-known/oauth-protected-resource/mcp`;
      if (request.url === '/.well-known/oauth-protected-resource/mcp') {
        json(response, { resource, authorization_servers: [served.origin], scopes_supported: ['read'] });
        return true;
      }
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      if (given.has(token)) return false;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${known}", scope="read write"` }).end();
      return true;
    },
  };
}
