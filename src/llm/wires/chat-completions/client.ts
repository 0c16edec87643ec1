import { createChatBody } from './request.ts';
import { createChatReader } from './response.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { type ChatCompat, toCompat } from './compat.ts';
import { createHttpClient, type HttpOptions } from '../../transport/http.ts';

export interface ChatCompletionsOptions extends HttpOptions {
  /** Used where a request names none. */
  readonly model?: string;
  /** Where the service differs from what is known of its host. */
  readonly compat?: ChatCompat;
}

/**
 * A client for OpenAI's `/chat/completions` and the many services that speak it, from the page straight to the service.
 *
 *     createChatCompletionsClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini' })
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that is not https, nor http on this machine.
 */
export function createChatCompletionsClient({ model, compat, ...options }: ChatCompletionsOptions): LLMClient {
  return createHttpClient(options, {
    path: '/chat/completions',
    toBody: (request, host) => createChatBody(request, model, toCompat(host, compat)),
    createReader: (options) => createChatReader(options),
  });
}
