import { named } from '../core/model/shapes/named.ts';
import type { StoreCodec } from '../storage/store-codec.ts';
import type { EncryptStoredOptions, EncryptStoredReport } from '../storage/codec.ts';

/**
 * Encrypts the sessions that a store without a codec has stored, their attachments, and what lies beside them. Until then, only what
 * is written from then on is encrypted. Stores of the same database may be open, all of them with the codec.
 *
 * Rejects with AgentError `ABORTED`, with `STORAGE_LOCKED` while the key is locked, and with other codes of type `STORAGE`.
 *
 * @example
 * await encryptStored(createVaultCodec(vault), { name: 'my-app', onProgress: ({ done, total }) => show(done / total) });
 */
export async function encryptStored(
  codec: StoreCodec,
  options: EncryptStoredOptions = {},
): Promise<EncryptStoredReport> {
  named(options, { name: true, signal: true, onProgress: true }, 'encryptStored');
  return (await codec.load()).encryptStored(options);
}
