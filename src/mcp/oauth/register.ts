import {
  dynamicClientRegistrationRequest,
  type AuthorizationServer as Metadata,
  processDynamicClientRegistrationResponse,
} from 'oauth4webapi';
import { MCPError } from '../errors.ts';
import { checkAddress, isThisMachine } from './address.ts';
import { type Client, toClient } from './client.ts';
import { isRefusal, reasonOf, signInError } from './problem.ts';
import { type Fetch, postOptions } from './request.ts';

/** How the page introduces itself. */
export interface Introduction {
  readonly redirectUri: string;
  readonly clientName: string;
}

/** Registers the page at an authorization server (RFC 7591). Rejects with MCPError. */
export async function register(fetch: Fetch, metadata: Metadata, options: Introduction): Promise<Client> {
  const { registration_endpoint: endpoint, issuer } = metadata;
  if (endpoint === undefined)
    throw signInError(
      `${issuer} lets no page register by itself: register the page there by hand, and pass \`clientId\`.`,
    );
  const page = {
    client_name: options.clientName,
    redirect_uris: [options.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: isThisMachine(new URL(options.redirectUri)) ? 'native' : 'web',
  };
  // The library requires the end of a secret, which many servers of MCP leave out. 0 means that it does not end.
  const request = postOptions(fetch, checkAddress(endpoint), 201, { client_secret_expires_at: 0 });
  const answer = await dynamicClientRegistrationRequest(metadata, page, request)
    .then(processDynamicClientRegistrationResponse)
    .catch((error: unknown) => {
      throw explain(issuer, error);
    });
  return toClient(answer.client_id, answer.client_secret, answer.token_endpoint_auth_method);
}

function explain(issuer: string, error: unknown): MCPError {
  if (error instanceof MCPError) return error;
  return signInError(
    isRefusal(error)
      ? `${issuer} refused to register this page: ${reasonOf(error)}.`
      : `${issuer} registered this page with an answer that it cannot use: ${reasonOf(error)}. Its owner must correct the answer.`,
  );
}
