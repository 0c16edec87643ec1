import { type Json, parseJson, toJson } from '../../core/json.ts';
import { lazy } from '../../core/lazy.ts';
import type { CodecBytes, SessionCodec } from '../../storage/codec.ts';
import type { StoreCodec } from '../../storage/store-codec.ts';
import { rejected } from '../../storage/storage-errors.ts';

/** The place of bytes, which a codec authenticates with them. */
export type CodedPlace = readonly [
  'data' | 'write' | 'head' | 'row' | 'blob' | 'meta' | 'live',
  ...(string | number)[],
];

/** Turns values into the bytes that leave the page, and back. With a codec the bytes are encrypted. */
export interface Coder {
  /** `id` of the codec; missing without one. */
  readonly codec?: string;
  /** Rejects with AgentError `STORAGE_REJECTED` for a value that is not JSON. */
  encode(value: unknown, place: CodedPlace): Promise<CodecBytes>;
  /** Resolves with `undefined` for bytes that were changed, or belong to another place. */
  decode(bytes: CodecBytes, place: CodedPlace): Promise<Json | undefined>;
  /** Returns a name of a value: the same for equal values. Resolves with `undefined` where the browser has no hashes. */
  nameOf(value: unknown): Promise<string | undefined>;
}

/** Returns the coder of a store. Its promise rejects with the error of the codec. */
export function loadCoder(encrypt: StoreCodec | undefined): () => Promise<Coder> {
  return lazy(async () => (encrypt ? createSealedCoder(await encrypt.loadCodec()) : plainCoder));
}

const plainCoder: Coder = {
  encode: async (value) => toBytes(value),
  decode: async (bytes) => toValue(bytes),
  async nameOf(value) {
    // Missing on pages without HTTPS, although its type does not state it.
    const { subtle }: Partial<Crypto> = crypto;
    const digest = await subtle?.digest('SHA-256', toBytes(value));
    return digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

function createSealedCoder(codec: SessionCodec): Coder {
  return {
    codec: codec.id,
    encode: (value, place) => codec.encode(toBytes(value), JSON.stringify(place)),
    async decode(bytes, place) {
      const opened = await codec.decode(bytes, JSON.stringify(place));
      return opened && toValue(opened);
    },
    nameOf: (value) => codec.nameOf(toBytes(value)),
  };
}

/**
 * Returns a copy of a value as JSON.
 *
 * @throws AgentError `STORAGE_REJECTED`
 */
export function copyOf(value: unknown): Json {
  try {
    return toJson(value);
  } catch (thrown) {
    throw rejected(thrown);
  }
}

function toBytes(value: unknown): CodecBytes {
  return new TextEncoder().encode(JSON.stringify(copyOf(value)));
}

function toValue(bytes: CodecBytes): Json | undefined {
  return parseJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}

/** Returns the bytes of a text in base64; no bytes for any other text. */
export function fromBase64(text: string): CodecBytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
