import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Together. The list of models contains context windows and prices. */
export const together: Provider = {
  name: 'Together',
  baseURL: 'https://api.together.xyz/v1',
  createClient: createChatCompletionsClient,
  pages: 'allowed',
  keysURL: 'https://api.together.ai/settings/api-keys',
};
