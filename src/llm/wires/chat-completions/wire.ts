import type { LLMClient } from '../../../core/model/llm.ts';
import type { Address } from '../../transport/address.ts';
import { createHttpClient } from '../../transport/http.ts';
import type { ChatCompletionsOptions } from './client.ts';
import { toCompat } from './compat.ts';
import { toChatBody } from './request.ts';
import { createChatReader } from './response.ts';

/** Creates the client of `createChatCompletionsClient`, with its transport. */
export function createChatWire({ model, compat, ...options }: ChatCompletionsOptions, address: Address): LLMClient {
  return createHttpClient(options, address, {
    toBody: (request, host) => toChatBody(request, model, toCompat(host, compat)),
    createReader: createChatReader,
  });
}
