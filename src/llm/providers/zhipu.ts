import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Zhipu's GLM outside China (Z.AI); inside China, pass `baseURL: 'https://open.bigmodel.cn/api/paas/v4'`. */
export const zhipu: Provider = {
  name: 'Zhipu GLM',
  baseURL: 'https://api.z.ai/api/paas/v4',
  createClient: createChatCompletionsClient,
  options: { compat: { reasoning: 'tool-turns' } },
  pages: 'allowed',
  keysURL: 'https://z.ai/manage-apikey/apikey-list',
  // https://docs.z.ai/guides/overview/pricing, as of August 2026.
  models: {
    'glm-5.3': { contextWindow: 1_000_000, price: { input: 1.4, cached: 0.26, output: 4.4 } },
    'glm-5.3-flash': { contextWindow: 1_000_000, price: { input: 0.15, cached: 0.03, output: 0.5 } },
  },
};
