import type { JsonObject } from '../../core/json.ts';
import { toText } from '../../core/model/read-json.ts';
import { excerpt } from '../errors.ts';
import { checkAddress, isThisMachine, readJson, signInError } from './metadata.ts';
import { type Client, readClient } from './client.ts';

/** How the page introduces itself. */
export interface Introduction {
  readonly redirectUri: string;
  readonly clientName: string;
}

/** Registers the page at an authorization server (RFC 7591). Rejects with MCPError. */
export async function register(
  fetch: typeof globalThis.fetch,
  metadata: JsonObject,
  options: Introduction,
): Promise<Client> {
  const { registration_endpoint: endpoint, issuer } = metadata;
  if (endpoint === undefined)
    throw signInError(
      `${toText(issuer)} lets no page register by itself: register the page there by hand, and pass \`clientId\`.`,
    );
  const response = await fetch(checkAddress(endpoint), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    redirect: 'error',
    body: JSON.stringify({
      client_name: options.clientName,
      redirect_uris: [options.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: isThisMachine(new URL(options.redirectUri)) ? 'native' : 'web',
    }),
  }).catch(() => {
    throw signInError(`${toText(endpoint)} cannot be reached, or does not let this page read it (CORS).`);
  });
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method, error } = await readJson(response);
  const client = response.ok ? readClient({ id, secret, method }) : undefined;
  return (
    client ??
    Promise.reject(
      signInError(`${toText(issuer)} refused to register this page: ${excerpt(error) || response.status}.`),
    )
  );
}
