import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

const big = { contextWindow: 1_000_000, maxOutput: 384_000 };

/** DeepSeek. The prices depend on the hour of the day, so none are listed here. */
export const deepseek: Provider = {
  name: 'DeepSeek',
  baseURL: 'https://api.deepseek.com/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { reasoning: 'required', structuredOutput: 'json_object' } },
  pages: 'allowed',
  keysURL: 'https://platform.deepseek.com/api_keys',
  // https://api-docs.deepseek.com/quick_start/pricing, as of November 2026.
  models: { 'deepseek-flash': big, 'deepseek-v4-pro': big },
};
