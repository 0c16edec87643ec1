import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Moonshot's Kimi outside China; inside China, pass `baseURL: 'https://api.moonshot.cn/v1'`. */
export const moonshot: Provider = {
  name: 'Moonshot Kimi',
  baseURL: 'https://api.moonshot.ai/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { reasoning: 'required', structuredOutput: 'json_object', plainSchemas: true } },
  pages: 'refused',
  noAnswer: 'Moonshot refuses all pages (CORS): run a proxy of your own, and pass its address as the base URL.',
  keysURL: 'https://platform.moonshot.ai/console/api-keys',
  // https://platform.kimi.ai/docs/pricing, as of July 2026.
  models: {
    'kimi-k3': { contextWindow: 1_048_576, price: { input: 3, cached: 0.3, output: 15 } },
    'kimi-k2.6': { contextWindow: 262_144, price: { input: 0.95, cached: 0.16, output: 4 } },
  },
};
