import { checkWireNames, httpNames } from '../../transport/option-names.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { checkClientOptions } from '../../transport/check-options.ts';
import { toAddress } from '../../transport/address.ts';
import { createResponsesWire, type ResponsesOptions } from './wire.ts';

/**
 * Creates a client for OpenAI's `/responses`. The service stores nothing: the whole conversation is part of each request.
 *
 *     createResponsesClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini', sealedReasoning: true })
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a base URL that is neither https nor http
 * on this machine
 */
export function createResponsesClient(options: ResponsesOptions): LLMClient {
  checkWireNames(options, { ...httpNames, model: true, stream: true, sealedReasoning: true }, 'createResponsesClient');
  checkClientOptions(options, 'createResponsesClient');
  return createResponsesWire(options, toAddress(options.baseURL, '/responses', options.allowLan));
}
