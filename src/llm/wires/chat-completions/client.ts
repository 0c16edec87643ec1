import { checkWireNames, httpNames } from '../../transport/option-names.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { toAddress } from '../../transport/address.ts';
import { checkClientOptions } from '../../transport/check-options.ts';
import { type ChatCompletionsOptions, createChatWire } from './wire.ts';

/**
 * Creates a client for OpenAI's `/chat/completions` and the many compatible services, from the page straight to the service.
 *
 *     createChatCompletionsClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini' })
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a base URL that is neither https nor http
 * on this machine
 */
export function createChatCompletionsClient(options: ChatCompletionsOptions): LLMClient {
  checkWireNames(options, { ...httpNames, model: true, stream: true, compat: true }, 'createChatCompletionsClient');
  checkClientOptions(options, 'createChatCompletionsClient');
  return createChatWire(options, toAddress(options.baseURL, '/chat/completions', options.allowLan));
}
