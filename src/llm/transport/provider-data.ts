import type { Json, JsonObject } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import { toObject, toText } from '../../core/model/read-json.ts';

/**
 * Returns the opaque data of one wire in a part's `provider`, to be sent back; data of other wires is ignored, and so is data of another
 * service: signatures and encrypted reasoning are refused there, and strict services refuse unknown fields (Mistral, Groq).
 *
 * @param host host and port of the service that the request is for; data whose origin is not known is returned for every host
 */
export function providerData(provider: Json | undefined, wire: string, host?: string): JsonObject {
  return isFrom(provider, host) ? toObject(toObject(provider)[wire]) : {};
}

/** Whether the service at a host may have sent a part with this `provider`. */
export function isFrom(provider: Json | undefined, host: string | undefined): boolean {
  const from = toText(toObject(provider).host);
  return from === '' || host === undefined || from === host;
}

/** Adds to a chunk with opaque data, or with the id of a call, the host that sent it. */
export function withHost(chunk: LLMChunk, host: string): LLMChunk {
  const isOpaque =
    (chunk.type === 'reasoning' && chunk.provider !== undefined) ||
    (chunk.type === 'call-end' && (chunk.provider !== undefined || chunk.id !== undefined));
  return isOpaque ? { ...chunk, provider: { ...toObject(chunk.provider), host } } : chunk;
}
