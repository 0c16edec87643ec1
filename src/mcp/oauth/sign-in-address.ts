import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { checkAddress } from './address.ts';
import type { Pending } from './mailbox.ts';

/** Returns the address at which the person signs in. */
export async function toSignInAddress(
  { state, verifier, server, client }: Pending,
  redirectUri: string,
): Promise<string> {
  const { metadata, resource, scope } = server;
  const address = new URL(checkAddress(metadata.authorization_endpoint));
  const query = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope ? { scope } : {}),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}
