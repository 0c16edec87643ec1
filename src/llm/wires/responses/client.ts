import type { LLMClient } from '../../../core/model/llm.ts';
import { createHttpClient, type HttpOptions } from '../../transport/http.ts';
import { toResponsesBody } from './request.ts';
import { createResponsesReader } from './response.ts';

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
  return createHttpClient(options, {
    path: '/responses',
    toBody: (request) => toResponsesBody(request, { model, sealedReasoning }),
    createReader: createResponsesReader,
  });
}
