import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Mistral. The list of models contains context windows. The service accepts pages that send no headers of their own. */
export const mistral: Provider = {
  name: 'Mistral',
  baseURL: 'https://api.mistral.ai/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { shortCallIds: true, streamOptions: false, resultName: true, alternate: true } },
  pages: 'allowed',
  keysURL: 'https://console.mistral.ai/api-keys',
  // https://mistral.ai/pricing/api, as of August 2026.
  models: {
    'mistral-medium-3-5': { price: { input: 1.5, cached: 0.15, output: 7.5 } },
    'mistral-medium-latest': { price: { input: 1.5, cached: 0.15, output: 7.5 } },
    'mistral-large-2512': { price: { input: 0.5, cached: 0.05, output: 1.5 } },
    'mistral-small-2603': { price: { input: 0.15, cached: 0.015, output: 0.6 } },
    'devstral-2512': { price: { input: 0.4, cached: 0.04, output: 2 } },
  },
};
