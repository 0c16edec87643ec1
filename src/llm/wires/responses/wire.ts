import type { LLMClient } from '../../../core/model/llm.ts';
import type { Address } from '../../transport/address.ts';
import { createHttpClient } from '../../transport/http.ts';
import type { ResponsesOptions } from './client.ts';
import { toResponsesBody } from './request.ts';
import { createResponsesReader } from './response.ts';

/** Creates the client of `createResponsesClient`, with its transport. */
export function createResponsesWire(
  { model, sealedReasoning, ...options }: ResponsesOptions,
  address: Address,
): LLMClient {
  return createHttpClient(options, address, {
    toBody: (request) => toResponsesBody(request, { model, sealedReasoning }),
    createReader: createResponsesReader,
  });
}
