import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Sealed } from '../keys/seal.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

/** Sealed bytes as JSON. */
export interface SealedText {
  readonly iv: string;
  readonly data: string;
}

export function toSealedText({ iv, data }: Sealed): SealedText & JsonObject {
  return { iv: toBase64Url(new Uint8Array(iv)), data: toBase64Url(new Uint8Array(data)) };
}

/** Returns `undefined` for a value that is none. */
export function fromSealedText(value: Json | undefined): Sealed | undefined {
  if (!isJsonObject(value)) return undefined;
  const { iv, data } = value;
  const [ivBytes, dataBytes] = [iv, data].map((text) => (typeof text === 'string' ? fromBase64Url(text) : undefined));
  return ivBytes && dataBytes && { iv: ivBytes.buffer, data: dataBytes.buffer };
}
