import { fail } from '../core/error.ts';
import { createChatCompletionsClient } from '../llm/wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/**
 * Azure OpenAI, its `v1` interface. A model's name there is that of your deployment.
 *
 * @param resource the name of your resource: `https://<resource>.openai.azure.com`
 * @throws AgentError `INVALID_CONFIG` for what is no name: the key would go to another host.
 */
export function azure(resource: string): Provider {
  if (!/^[a-z\d-]+$/i.test(resource))
    fail('INVALID_CONFIG', 'The name of an Azure resource is letters, digits and "-".');
  return {
    name: 'Azure OpenAI',
    baseURL: `https://${resource}.openai.azure.com/openai/v1`,
    createClient: createChatCompletionsClient,
    options: { compat: { maxTokens: 'max_completion_tokens' } },
    pages: 'refused',
    noAnswer: 'Azure lets no page in: put a proxy of your own before it, and give its address as the base URL.',
    keysURL: 'https://ai.azure.com',
  };
}
