import { fail } from '../../core/error.ts';
import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/**
 * Azure OpenAI, over its `v1` interface. The model's name is the name of your deployment.
 *
 * @param resource the name of your resource: `https://<resource>.openai.azure.com`
 * @throws AgentError `INVALID_CONFIG` for a value that is not a resource name: the key would be sent to another host.
 */
export function azure(resource: string): Provider {
  if (!/^[a-z\d-]+$/i.test(resource))
    fail('INVALID_CONFIG', 'The name of an Azure resource must be letters, digits and "-".');
  return {
    name: 'Azure OpenAI',
    baseURL: `https://${resource}.openai.azure.com/openai/v1`,
    createClient: createChatCompletionsClient,
    options: { compat: { maxTokens: 'max_completion_tokens' } },
    pages: 'refused',
    noAnswer: 'Azure refuses all pages (CORS): run a proxy of your own, and pass its address as the base URL.',
    keysURL: 'https://ai.azure.com',
  };
}
