import { toBase64Url } from '../core/base64url.ts';
import { AgentError, fail } from '../core/error.ts';
import { randomBytes } from './seal.ts';

/** A passkey that makes the same secret each time it is used with the same salt (WebAuthn, extension `prf`). */
export interface Passkey {
  readonly credentialId: ArrayBuffer;
  readonly salt: ArrayBuffer;
}

/** Creates a passkey; the browser asks the person. Rejects as `readPasskey` does. */
export async function createPasskey(userName: string): Promise<Passkey> {
  const created = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: randomBytes(32),
        rp: { name: location.hostname },
        user: { id: randomBytes(16), name: userName, displayName: userName },
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: {} },
      },
    }),
  );
  if (!created.getClientExtensionResults().prf?.enabled)
    fail('INVALID_CONFIG', 'This passkey cannot encrypt: its device or browser has no PRF. Use a passphrase.');
  return { credentialId: created.rawId, salt: randomBytes(32) };
}

/**
 * Asks for one of these passkeys.
 *
 * @returns the index of the passkey that was used, and its secret. Rejects with AgentError: `ABORTED` where the person declined, and
 *   `INVALID_CONFIG` where browser or device cannot do this
 */
export async function readPasskey(
  passkeys: readonly Passkey[],
): Promise<{ readonly index: number; readonly secret: BufferSource }> {
  const evalByCredential = Object.fromEntries(
    passkeys.map(({ credentialId, salt }) => [toBase64Url(credentialId), { first: salt }]),
  );
  const used = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(32),
        allowCredentials: passkeys.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
        userVerification: 'required',
        extensions: { prf: { evalByCredential } },
      },
    }),
  );
  const id = toBase64Url(used.rawId);
  const secret = used.getClientExtensionResults().prf?.results?.first;
  return {
    index: passkeys.findIndex(({ credentialId }) => toBase64Url(credentialId) === id),
    secret: secret ?? fail('INVALID_CONFIG', 'This passkey returned no secret (PRF). Use the passphrase.'),
  };
}

async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (typeof PublicKeyCredential === 'undefined')
    fail('INVALID_CONFIG', 'This browser has no passkeys, or the page is not on https:. Use a passphrase.');
  const credential = await request().catch((thrown: unknown) => {
    const isDeclined = thrown instanceof DOMException && /^(NotAllowed|Abort|Timeout)Error$/.test(thrown.name);
    throw isDeclined
      ? new AgentError('The passkey was not used: the request was declined, or took too long.', { code: 'ABORTED' })
      : new AgentError('This page or device has no passkeys. Use a passphrase.', {
          code: 'INVALID_CONFIG',
          cause: thrown,
        });
  });
  if (credential instanceof PublicKeyCredential) return credential;
  return fail('ABORTED', 'The browser returned no passkey.');
}
