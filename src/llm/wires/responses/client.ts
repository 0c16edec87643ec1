// The seam of loading: this file is loaded with the page; wire.ts, with the whole transport, is loaded by `import()`.
import { checkWireNames, httpNames } from '../../transport/option-names.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { checkClientOptions } from '../../transport/check-options.ts';
import { createLazyClient } from '../../transport/lazy-client.ts';
import type { ResponsesOptions } from './wire.ts';

/**
 * Creates a client for OpenAI's `/responses`. The service stores nothing: the whole conversation is part of each request.
 *
 *     createResponsesClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini', sealedReasoning: true })
 *
 * The code of the wire is loaded as the client is created. A request errors with AgentError `MODULE_UNAVAILABLE` where that fails; the next
 * request loads again.
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a base URL that is neither https nor http
 * on this machine
 */
export function createResponsesClient(options: ResponsesOptions): LLMClient {
  checkWireNames(options, { ...httpNames, model: true, stream: true, sealedReasoning: true }, 'createResponsesClient');
  checkClientOptions(options, 'createResponsesClient');
  return createLazyClient(options, '/responses', async (address) =>
    (await import('./wire.ts')).createResponsesWire(options, address),
  );
}
