import { named } from '../core/model/shapes/named.ts';
import type { StoreCodec } from '../storage/store-codec.ts';
import type { DecryptStoredOptions, DecryptStoredReport } from '../storage/codec.ts';

/**
 * Decrypts what stores with this codec have stored: sessions, their attachments, and what lies beside them. A store without a codec reads
 * it then. A session is decrypted as a whole: after a page that vanished, the next call continues with the rest.
 *
 * Stores of the same database may be open, all of them without the codec: they are notified of each session by `changes$`. What a store
 * with the codec writes meanwhile is encrypted again.
 *
 * Rejects with AgentError `ABORTED`, and with `STORAGE_LOCKED`: `retryable` while the key is locked; otherwise after everything else, where
 * something was encrypted with another key, which stays as it is. Keep the key until the promise resolves.
 *
 * @example
 * await decryptStored(createVaultCodec(vault), { name: 'my-app', onProgress: ({ done, total }) => show(done / total) });
 */
export async function decryptStored(
  codec: StoreCodec,
  options: DecryptStoredOptions = {},
): Promise<DecryptStoredReport> {
  named(options, { name: true, signal: true, onProgress: true }, 'decryptStored');
  return (await codec.load()).decryptStored(options);
}
