import type { JsonObject } from '../../core/json.ts';

/** A client at one authorization server. */
export interface Client {
  readonly id: string;
  /** A page keeps no secret: some authorization servers hand one out all the same, and ask for it. */
  readonly secret?: string;
  /** How the token endpoint wants the secret. */
  readonly method?: string;
}

/** Reads a stored client, or one that an authorization server has handed out; `undefined` for anything else. */
export function readClient({ id, secret, method }: JsonObject): Client | undefined {
  if (typeof id !== 'string' || id === '') return undefined;
  return {
    id,
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof method === 'string' ? { method } : {}),
  };
}
