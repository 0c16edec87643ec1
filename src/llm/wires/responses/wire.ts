import type { LLMClient } from '../../../core/model/llm.ts';
import type { Address } from '../../transport/address.ts';
import { createHttpClient } from '../../transport/http.ts';
import type { HttpOptions } from '../../transport/http-options.ts';
import { toolNames } from '../../transport/wire-name.ts';
import { toResponsesBody } from './request.ts';
import { createResponsesReader } from './response.ts';

/** Options of `createResponsesClient`, beside those of the transport. */
export interface ResponsesOptions extends HttpOptions {
  /** Used where a request names none. */
  readonly model?: string;
  /**
   * Whether the service streams its answer. `false`: the answer arrives as one JSON document and is emitted at once, for a proxy that cannot
   * stream. Default yes.
   */
  readonly stream?: boolean;
  /** Whether the model's reasoning comes back encrypted, to be sent with the next request. Models without reasoning refuse the option. Default no. */
  readonly sealedReasoning?: boolean;
}

/** Creates the client of `createResponsesClient`, with its transport. */
export function createResponsesWire(given: ResponsesOptions, address: Address): LLMClient {
  const { model, stream, sealedReasoning, ...options } = given;
  return createHttpClient(options, address, {
    toBody: (request) => toResponsesBody(request, { model, stream, sealedReasoning, host: address.host }),
    createReader: (reading, { tools }) => createResponsesReader({ ...reading, tools: toolNames(tools) }),
  });
}
