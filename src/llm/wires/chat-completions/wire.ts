import type { LLMClient } from '../../../core/model/llm.ts';
import type { Address } from '../../transport/address.ts';
import { createHttpClient } from '../../transport/http.ts';
import type { HttpOptions } from '../../transport/http-options.ts';
import { type ChatCompat, toCompat } from './compat.ts';
import { toChatBody } from './request.ts';
import { createChatReader, toReading } from './response.ts';

/** Options of `createChatCompletionsClient`, beside those of the transport. */
export interface ChatCompletionsOptions extends HttpOptions {
  /** Used where a request names none. */
  readonly model?: string;
  /**
   * Whether the service streams its answer. `false`: the answer arrives as one JSON document and is emitted at once, for a proxy that cannot
   * stream. Default yes.
   */
  readonly stream?: boolean;
  /** Where the service differs from what is known of its host. */
  readonly compat?: ChatCompat;
}

/** Creates the client of `createChatCompletionsClient`, with its transport. */
export async function createChatWire(given: ChatCompletionsOptions, address: Address): Promise<LLMClient> {
  const { model, compat: own, stream, ...options } = given;
  // The check is loaded for more than a base URL, a key and a model.
  if (Object.entries(given).some(([name, value]) => typeof value !== 'string' || !/^(base|api|mod)/.test(name)))
    (await import('../../transport/check-limits.ts')).checkClientOptions(given, 'createChatCompletionsClient');
  const compat = toCompat(address.host, own);
  return createHttpClient(options, address, {
    toBody: (request) => toChatBody(request, model, compat, stream, address.host),
    createReader: (reading, request) => createChatReader(toReading(reading, request), compat),
  });
}
