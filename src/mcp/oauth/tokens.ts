import {
  authorizationCodeGrantRequest,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { MCPError } from '../errors.ts';
import { checkAddress } from './address.ts';
import { type Client, toAuthentication } from './client.ts';
import { isRefusal, reasonOf, signInError } from './problem.ts';
import { type Fetch, postOptions } from './request.ts';

/** What is kept for one server. */
export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  /** ms since the epoch */
  readonly expiresAt?: number;
  readonly scope: string;
  readonly endpoint: string;
  readonly resource: string;
  readonly client: Client;
}

/** What is known of tokens before they are asked for. */
export type Fixed = Pick<Tokens, 'endpoint' | 'resource' | 'client' | 'scope'>;

/** An answer to a sign-in, and what proves that this page has asked for it. */
export interface CodeGrant {
  /** Invariant: `validateAuthResponse` has returned it. */
  readonly answer: URLSearchParams;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Exchanges the code of an answer for tokens. Rejects with MCPError. */
export async function exchangeCode(fetch: Fetch, fixed: Fixed, grant: CodeGrant, now: number): Promise<Tokens> {
  const { server, client, authentication, options } = toRequest(fetch, fixed);
  const { answer, redirectUri, verifier } = grant;
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    answer,
    redirectUri,
    verifier,
    options,
  ).catch((error: unknown) => {
    // A request that fails rejects with MCPError: the library refuses the code only.
    if (error instanceof MCPError) throw error;
    throw signInError(`The answer to the sign-in has no code to use: ${reasonOf(error)}. Sign in again.`);
  });
  try {
    return toTokens(fixed, await processAuthorizationCodeResponse(server, client, response), now);
  } catch (error) {
    throw explain(fixed.endpoint, error);
  }
}

/** Exchanges a refresh token for fresh tokens. Rejects with MCPError, and with what the library throws. */
export async function refreshTokens(fetch: Fetch, { refresh = '', ...old }: Tokens, now: number): Promise<Tokens> {
  const { server, client, authentication, options } = toRequest(fetch, old);
  const response = await refreshTokenGrantRequest(server, client, authentication, refresh, options);
  const answer = await processRefreshTokenResponse(server, client, response);
  return toTokens(old, { refresh_token: refresh, ...answer }, now);
}

function toRequest(fetch: Fetch, { endpoint, resource, client }: Fixed) {
  const address = checkAddress(endpoint);
  return {
    // The library uses the issuer for ID tokens only, which are not read. What is kept of earlier versions does not name one.
    server: { issuer: address, token_endpoint: address },
    client: { client_id: client.id },
    authentication: toAuthentication(client),
    options: { ...postOptions(fetch, address, 200), additionalParameters: { resource } },
  };
}

function toTokens({ endpoint, resource, client, scope }: Fixed, answer: TokenEndpointResponse, now: number): Tokens {
  // The library takes `dpop` as well, also where no key was sent.
  if (answer.token_type !== 'bearer')
    throw signInError(`${endpoint} gave a token of a type that a page does not use. Its owner must use \`Bearer\`.`);
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer;
  return {
    endpoint,
    resource,
    client,
    scope: answer.scope || scope,
    access,
    ...(refresh ? { refresh } : {}),
    ...(seconds === undefined ? {} : { expiresAt: now + seconds * 1_000 }),
  };
}

function explain(endpoint: string, error: unknown): MCPError {
  if (error instanceof MCPError) return error;
  return signInError(
    isRefusal(error)
      ? `${endpoint} gave no token: ${reasonOf(error)}. Sign in again.`
      : `${endpoint} gave no token that a page can use: ${reasonOf(error)}. Its owner must correct the answer.`,
  );
}
