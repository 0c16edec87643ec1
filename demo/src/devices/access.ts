import type { VaultState } from 'brooklet/keys';
import { parseObject, textIn } from '../base/json.ts';
import { vault } from '../keys/vault.ts';
import { type Engine, engineKeyId, type EngineSecret } from '../base/engine.ts';

/** Whether this tab can use the engine: its secret is there, `locked`, or `missing` (in memory only, and gone with a reload). */
export type Access = 'ready' | 'locked' | 'missing' | 'opening';

export function accessOf({ status, keys }: VaultState): Access {
  if (status === 'opening') return 'opening';
  if (!keys.some(({ id }) => id === engineKeyId)) return 'missing';
  return status === 'locked' ? 'locked' : 'ready';
}

/** Keeps the secret in the vault. Rejects with AgentError `AUTHENTICATION_LOCKED` while the vault is locked. */
export async function storeSecret({ url }: Engine, { credential, key }: EngineSecret): Promise<void> {
  // A key of the vault is printable. Its last characters may be shown: they are those of `v`.
  const bytes = new TextEncoder().encode(JSON.stringify({ credential, key, v: 1 }));
  const text = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
  await vault.add(engineKeyId, text, { baseURL: toHttp(url) });
}

/** Resolves with the secret. Rejects with AgentError where the vault has none for this engine. */
export async function readSecret({ url }: Engine): Promise<EngineSecret> {
  const text = await vault.keyFor(engineKeyId)(new URL(toHttp(url)).origin);
  const bytes = Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
  const secret = parseObject(new TextDecoder().decode(bytes));
  return { credential: textIn(secret, 'credential'), key: textIn(secret, 'key') };
}

export async function forgetSecret(): Promise<void> {
  await vault.remove(engineKeyId);
}

/** The vault knows the origins of HTTP. */
function toHttp(url: string): string {
  return url.replace(/^ws/u, 'http');
}
