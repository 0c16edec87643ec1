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
export function createChatWire(given: ChatCompletionsOptions, address: Address): LLMClient {
  const { model, compat: own, stream, ...options } = given;
  const compat = toCompat(address.host, own);
  return createHttpClient(options, address, {
    toBody: (request) => toChatBody(request, model, compat, stream, address.host),
    createReader: (reading, request) => createChatReader(toReading(reading, request), compat),
  });
}
