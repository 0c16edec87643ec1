import { fromBase64Url, toBase64Url } from '../core/base64url.ts';
import { fail } from '../core/error.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { keyOfPassphrase, mostRounds, randomBytes, rounds, seal, unseal } from '../keys/seal.ts';
import { fromSealedText, toSealedText } from './sealed-text.ts';

/** Resolves with bytes sealed by a passphrase (PBKDF2-SHA256, AES-GCM), as JSON. @param purpose what they are opened for */
export async function sealByPassphrase(bytes: ArrayBuffer, passphrase: string, purpose: string): Promise<JsonObject> {
  const salt = randomBytes(16);
  const sealed = await seal(await keyOfPassphrase(passphrase, salt, rounds), purpose, bytes);
  return { salt: toBase64Url(salt), rounds, ...toSealedText(sealed) };
}

/** Rejects with AgentError `AUTHENTICATION_FAILED` for another passphrase, `STORAGE_CORRUPT` for a damaged value. */
export async function openByPassphrase(stored: Json, passphrase: string, purpose: string): Promise<ArrayBuffer> {
  const { salt, rounds: count } = isJsonObject(stored) ? stored : {};
  const sealed = fromSealedText(stored);
  const saltBytes = typeof salt === 'string' ? fromBase64Url(salt) : undefined;
  if (!sealed || !saltBytes || typeof count !== 'number' || !(count >= 1 && count <= mostRounds))
    return fail('STORAGE_CORRUPT', 'The key of the remote store is damaged.');
  const opened = await unseal(await keyOfPassphrase(passphrase, saltBytes.buffer, count), purpose, sealed);
  return opened ?? fail('AUTHENTICATION_FAILED', 'The passphrase is wrong.');
}
