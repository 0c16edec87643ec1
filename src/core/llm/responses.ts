import type { LLMClient } from './client.ts';
import { createSend, type HttpOptions } from './http.ts';
import { toResponsesBody } from './responses-request.ts';
import { createResponsesReader } from './responses-response.ts';

export interface ResponsesOptions extends HttpOptions {
  /** Used where a request names none. */
  readonly model?: string;
  /** Whether the model's thoughts come back sealed, to be sent along with the next request. Models that do not think refuse it. Default no. */
  readonly sealedReasoning?: boolean;
}

/**
 * A client for OpenAI's `/responses`. Nothing is stored there: the whole conversation goes with each request.
 *
 *     createResponsesClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini', sealedReasoning: true })
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that is not https, nor http on this machine.
 */
export function createResponsesClient({ model, sealedReasoning, ...options }: ResponsesOptions): LLMClient {
  const send = createSend(options, {
    path: '/responses',
    authorize: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
    createReader: createResponsesReader,
  });
  return { sendRequest: (request) => send(() => toResponsesBody(request, { model, sealedReasoning })) };
}
