import { AgentError } from '../../core/error.ts';
import { type Json, parseJson } from '../../core/json.ts';
import type { CodecBytes, SessionCodec } from '../codec.ts';
import { isSealed, type SealedPart } from '../rows/sealed-row.ts';
import { rejected } from '../storage-errors.ts';

/** The place of a value in the database, which is authenticated with the value. */
export type Place = readonly ['event' | 'head' | 'blob' | 'text' | 'meta', ...(string | number)[]];

/** Encrypts and decrypts values of rows. Methods reject as the codec does. */
export interface Sealer {
  /** Begins the encryption within the call. Rejects with AgentError `STORAGE_REJECTED` for a value that is not JSON. */
  seal(value: unknown, place: Place): Promise<SealedPart>;
  /** Resolves with the value of a row, also of one that is not encrypted; with `undefined` for a damaged row. */
  open(row: unknown, place: Place): Promise<unknown>;
  openSealed(row: SealedPart, place: Place): Promise<Json | undefined>;
  /** Returns the name of a blob. */
  nameOf(value: unknown): Promise<string>;
}

export function createSealer(codec: SessionCodec): Sealer {
  async function openSealed(row: SealedPart, place: Place): Promise<Json | undefined> {
    if (row.codec !== codec.id)
      throw new AgentError(`The session is encrypted in the format "${row.codec}": pass the codec of that format.`, {
        code: 'STORAGE_LOCKED',
      });
    // Somebody may have written the row by hand.
    const bytes = row.sealed instanceof Uint8Array ? await codec.decode(row.sealed, contextOf(place)) : undefined;
    return bytes && parseJson(new TextDecoder().decode(bytes));
  }

  return {
    seal: async (value, place) => ({ codec: codec.id, sealed: await codec.encode(toBytes(value), contextOf(place)) }),
    open: async (row, place) => (isSealed(row) ? openSealed(row, place) : row),
    openSealed,
    nameOf: (value) => codec.nameOf(toBytes(value)),
  };
}

/** Resolves with `otherwise` where a value was encrypted with another key, which unlocking does not change. */
export async function unlessForeign<T>(opening: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await opening;
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'STORAGE_LOCKED' && !thrown.retryable) return otherwise;
    throw thrown;
  }
}

/** Unpaired surrogates are escaped, so that different places have different bytes. */
function contextOf(place: Place): string {
  return JSON.stringify(place);
}

/** @throws AgentError `STORAGE_REJECTED` */
function toBytes(value: unknown): CodecBytes {
  try {
    return new TextEncoder().encode(JSON.stringify(value, checked));
  } catch (thrown) {
    throw rejected(thrown);
  }
}

/** JSON leaves out functions and symbols, which the browser's own copy of a row rejects. */
function checked(key: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`"${key}" is not JSON.`);
  return value;
}

/** Returns a sealer to which a row that is not encrypted is a damaged one. */
export function strictly(sealer: Sealer): Sealer {
  return { ...sealer, open: async (row, place) => (isSealed(row) ? sealer.openSealed(row, place) : undefined) };
}
