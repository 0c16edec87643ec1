import { toAddress } from './address.ts';
import { toChatBody } from './chat-request.ts';
import { createChatReader } from './chat-response.ts';
import type { LLMClient } from './client.ts';
import { type ChatCompat, toCompat } from './compat.ts';
import { createSend, type HttpOptions } from './http.ts';

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
export function createChatCompletionsClient(options: ChatCompletionsOptions): LLMClient {
  const path = '/chat/completions';
  const compat = toCompat(toAddress(options.baseURL, path, options.allowLan).host, options.compat);
  const send = createSend(options, {
    path,
    authorize: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
    createReader: createChatReader,
  });
  return { sendRequest: (request) => send(() => toChatBody(request, options.model, compat)) };
}
