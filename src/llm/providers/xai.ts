import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** xAI (Grok). The service bills reasoning as output without counting it there, so `costOf` returns too little for reasoning models. */
export const xai: Provider = {
  name: 'xAI',
  baseURL: 'https://api.x.ai/v1',
  createClient: createChatCompletionsClient,
  pages: 'allowed',
  keysURL: 'https://console.x.ai',
  // https://docs.x.ai/docs/models, as of July 2026.
  models: {
    'grok-4.5': { contextWindow: 500_000, price: { input: 2, cached: 0.5, output: 6 } },
    'grok-4.3': { contextWindow: 1_000_000, price: { input: 1.25, cached: 0.2, output: 2.5 } },
  },
};
