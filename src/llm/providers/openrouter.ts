import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** OpenRouter. The list of models contains context windows and prices. */
export const openrouter: Provider = {
  name: 'OpenRouter',
  baseURL: 'https://openrouter.ai/api/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { reasoning: 'tool-turns', reasoningField: 'reasoning' } },
  pages: 'allowed',
  keysURL: 'https://openrouter.ai/settings/keys',
};
