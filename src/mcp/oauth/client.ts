import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'oauth4webapi';
import type { JsonObject } from '../../core/json.ts';

/** A client at one authorization server. */
export interface Client {
  readonly id: string;
  /** A page cannot keep a secret, but some authorization servers issue one and require it. */
  readonly secret?: string;
  /** How the token endpoint wants the secret. */
  readonly method?: string;
}

/** Reads a stored client, or one that an authorization server has issued; `undefined` for anything else. */
export function readClient({ id, secret, method }: JsonObject): Client | undefined {
  return typeof id === 'string' && id !== '' ? toClient(id, secret, method) : undefined;
}

/** Returns the client of an id, with a secret and a method where these are texts. */
export function toClient(id: string, secret: unknown, method: unknown): Client {
  return {
    id,
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof method === 'string' ? { method } : {}),
  };
}

/** Returns how the client proves itself at the token endpoint. */
export function toAuthentication({ secret, method }: Client): ClientAuth {
  if (!secret || method === 'none') return None();
  return method === 'client_secret_post' ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}
