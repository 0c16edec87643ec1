import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import { createResponsesClient } from '../wires/responses/client.ts';
import type { ModelTable } from './model.ts';
import type { Provider } from './provider.ts';

const big = { contextWindow: 1_050_000, maxOutput: 128_000 };
const small = { contextWindow: 400_000, maxOutput: 128_000 };

/** https://developers.openai.com/api/docs/pricing, as of November 2026. */
const models: ModelTable = {
  'gpt-6.2-sol': {
    ...big,
    price: { input: 2, cached: 0.1, output: 10, long: { over: 272_000, input: 4, cached: 0.2, output: 15 } },
  },
  'gpt-6.1-sol': {
    ...big,
    price: { input: 2, cached: 0.1, output: 10, long: { over: 272_000, input: 4, cached: 0.2, output: 15 } },
  },
  'gpt-6.1-terra': {
    ...big,
    price: { input: 1, cached: 0.05, output: 5, long: { over: 272_000, input: 2, cached: 0.1, output: 7.5 } },
  },
  'gpt-5-mini': { ...small, price: { input: 0.25, cached: 0.025, output: 2 } },
  'gpt-5-nano': { ...small, price: { input: 0.05, cached: 0.005, output: 0.4 } },
};

const keysURL = 'https://platform.openai.com/api-keys';

/** OpenAI over `/responses`, where the newer models accept tools. */
export const openai: Provider = {
  name: 'OpenAI',
  baseURL: 'https://api.openai.com/v1',
  createClient: createResponsesClient,
  pages: 'allowed',
  keysURL,
  models,
};

/** OpenAI over `/chat/completions`, the wire of most other services too. */
export const openaiChat: Provider = {
  name: 'OpenAI (chat completions)',
  baseURL: 'https://api.openai.com/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { maxTokens: 'max_completion_tokens' } },
  pages: 'allowed',
  keysURL,
  models,
};
