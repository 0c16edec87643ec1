import { fromBase64Url, toBase64Url } from '../core/base64url.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Sealed } from '../keys/seal.ts';

/** Sealed bytes as JSON. */
export interface SealedText {
  readonly iv: string;
  readonly data: string;
}

export function toSealedText({ iv, data }: Sealed): SealedText & JsonObject {
  return { iv: toBase64Url(iv), data: toBase64Url(data) };
}

/** Returns `undefined` for any other value. */
export function fromSealedText(value: Json | undefined): Sealed | undefined {
  if (!isJsonObject(value)) return undefined;
  const { iv, data } = value;
  const [ivBytes, dataBytes] = [iv, data].map((text) => (typeof text === 'string' ? fromBase64Url(text) : undefined));
  return ivBytes && dataBytes && { iv: ivBytes.buffer, data: dataBytes.buffer };
}
