import { fromBase64Url, toBase64Url } from '../core/base64url.ts';
import { fail } from '../core/error.ts';
import { importKey, randomBytes, seal, unseal } from '../keys/seal.ts';

/** An encrypted file, and what opens it. */
export interface SealedExport {
  /** Begins with `brooklet-sealed 1` and a line end, in ASCII; then 12 bytes of the initialization vector, and AES-256-GCM. */
  readonly file: Blob;
  /** 32 random bytes in base64url, for the fragment of a link: a browser sends no fragment to a server. */
  readonly key: string;
}

const purpose = 'brooklet sealed export';
const start = new TextEncoder().encode('brooklet-sealed 1\n');
const ivSize = 12;

/**
 * Encrypts an exported session with a key of its own, for a link that shows the session read-only. The file may lie anywhere: without the
 * key it shows only its size. A person with both can read the session for as long as the person has the file: remove the file to revoke the link.
 *
 * @param text of `exportSession`, with a mask for what others should not see
 * @example
 * const { file, key } = await sealExport(exportSession(stored, { mask }));
 * const link = `https://app.example.com/#/shared/${key}/${encodeURIComponent(await upload(file))}`;
 */
export async function sealExport(text: string): Promise<SealedExport> {
  const key = randomBytes(32);
  const { iv, data } = await seal(await importKey(key), purpose, new TextEncoder().encode(text));
  const file = new Blob([start, iv, data], { type: 'application/octet-stream' });
  return { file, key: toBase64Url(key) };
}

/**
 * Resolves with the text of a file of `sealExport`, for `readExport`, which checks it.
 *
 * Rejects with AgentError `INVALID_INPUT` for another file or a text that is not a key, and `AUTHENTICATION_FAILED` where the key belongs to another file or
 * the file was changed.
 */
export async function openSealedExport(file: Blob, key: string): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!start.every((byte, index) => byte === bytes[index]))
    fail('INVALID_INPUT', 'This is not an encrypted session of this version.');
  const keyBytes = fromBase64Url(key);
  if (keyBytes?.length !== 32)
    return fail('INVALID_INPUT', 'The key of an encrypted session is 32 bytes in base64url.');
  const [iv, data] = [bytes.slice(start.length, start.length + ivSize), bytes.slice(start.length + ivSize)];
  const opened = await unseal(await importKey(keyBytes.buffer), purpose, { iv: iv.buffer, data: data.buffer });
  return opened
    ? new TextDecoder().decode(opened)
    : fail('AUTHENTICATION_FAILED', 'The key belongs to another file, or the file was changed.');
}
