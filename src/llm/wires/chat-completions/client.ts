// The seam of loading: this file is loaded with the page; wire.ts, with the whole transport, is loaded by `import()`.
import { checkWireNames, httpNames } from '../../transport/option-names.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { createLazyClient } from '../../transport/lazy-client.ts';
import type { ChatCompletionsOptions } from './wire.ts';

/**
 * Creates a client for OpenAI's `/chat/completions` and the many compatible services, from the page straight to the service.
 *
 *     createChatCompletionsClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini' })
 *
 * The code of the wire is loaded as the client is created. A request errors with AgentError `MODULE_UNAVAILABLE` where that fails; the next
 * request loads again. The options are checked with it: where one has a wrong type or is out of its range, every request errors with
 * `INVALID_CONFIG`, and none is sent.
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that is neither https nor http on this machine
 */
export function createChatCompletionsClient(options: ChatCompletionsOptions): LLMClient {
  checkWireNames(options, { ...httpNames, model: true, stream: true, compat: true }, 'createChatCompletionsClient');
  return createLazyClient(options, '/chat/completions', async (address) =>
    (await import('./wire.ts')).createChatWire(options, address),
  );
}
