// The seam of loading: this file is loaded with the page; wire.ts, with the whole transport, is loaded by `import()`.
import type { LLMClient } from '../../../core/model/llm.ts';
import type { HttpOptions } from '../../transport/http.ts';
import { createLazyClient } from '../../transport/lazy-client.ts';

export interface ResponsesOptions extends HttpOptions {
  /** Used where a request names none. */
  readonly model?: string;
  /** Whether the model's reasoning comes back encrypted, to be sent with the next request. Models without reasoning refuse the option. Default no. */
  readonly sealedReasoning?: boolean;
}

/**
 * Creates a client for OpenAI's `/responses`. The service stores nothing: the whole conversation is part of each request.
 *
 *     createResponsesClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini', sealedReasoning: true })
 *
 * The code of the wire is loaded as the client is created. A request errors with AgentError `NETWORK_ERROR` where that fails; the next
 * request loads again.
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that is neither https nor http on this machine
 */
export function createResponsesClient(options: ResponsesOptions): LLMClient {
  return createLazyClient(options, '/responses', async (address) =>
    (await import('./wire.ts')).createResponsesWire(options, address),
  );
}
