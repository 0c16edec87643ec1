import { fail } from '../core/error.ts';
import { isJsonObject } from '../core/json.ts';
import { fromBytes, seal, toBytes, unseal } from './seal.ts';
import type { StoredKey, VaultRecord } from './vault-record.ts';
import type { VaultKey } from './vault-types.ts';

interface Secret extends StoredKey {
  readonly key: string;
}

/** The keys of a vault, by id. */
export type Secrets = ReadonlyMap<string, Secret>;

const purpose = 'brooklet vault secrets';

/** Returns the part of a record that contains these keys. */
export async function sealSecrets(
  secrets: Secrets,
  dataKey: CryptoKey,
): Promise<Pick<VaultRecord, 'keys' | 'secrets'>> {
  const all = Array.from(secrets.values());
  return {
    keys: all.map(({ id, origin, addedAt }) => ({ id, origin, addedAt })),
    secrets: await seal(dataKey, purpose, toBytes(all.map((secret) => ({ ...secret })))),
  };
}

/** Rejects with AgentError `STORAGE_CORRUPT` where the data key does not open the secrets. */
export async function unsealSecrets({ secrets }: VaultRecord, dataKey: CryptoKey): Promise<Secrets> {
  const bytes = await unseal(dataKey, purpose, secrets);
  const found: unknown = bytes && fromBytes(bytes);
  if (!Array.isArray(found)) return fail('STORAGE_CORRUPT', 'The stored keys are damaged. Erase them with forget().');
  return new Map(found.filter(isSecret).map((secret) => [secret.id, secret]));
}

/** Returns what a page may show. The last characters of a short key are too large a part of it. */
export function toShown({ id, origin, addedAt, key }: Secret): VaultKey {
  return { id, origin, addedAt, ...(key.length >= 20 && { lastFour: key.slice(-4) }) };
}

function isSecret(value: unknown): value is Secret {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    typeof value.key === 'string' &&
    typeof value.origin === 'string' &&
    typeof value.addedAt === 'number'
  );
}
