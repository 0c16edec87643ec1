import { toBase64Url } from '../../core/base64url.ts';

/** Returns 256 random bits. */
export function randomWord(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

/** Returns the challenge of a verifier (RFC 7636, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
}
