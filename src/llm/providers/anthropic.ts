import { authorizeAnthropic, createAnthropicClient } from '../wires/anthropic/client.ts';
import type { Provider } from './provider.ts';

const big = { contextWindow: 1_000_000, maxOutput: 128_000 };

/** Anthropic over `/v1/messages`. The service accepts pages that send the header which the client sends. */
export const anthropic: Provider = {
  name: 'Anthropic',
  baseURL: 'https://api.anthropic.com/v1',
  createClient: createAnthropicClient,
  pages: 'allowed',
  keysURL: 'https://platform.claude.com/settings/keys',
  list: { path: '/models?limit=1000', authorize: authorizeAnthropic },
  // https://platform.claude.com/docs/en/about-claude/pricing, as of November 2026.
  models: {
    'claude-fable-5-1': { ...big, price: { input: 10, output: 50 } },
    'claude-opus-5-5': { ...big, price: { input: 4, output: 20 } },
    'claude-opus-5': { ...big, price: { input: 5, cached: 0.5, output: 25 } },
    'claude-sonnet-5-5': { ...big, price: { input: 2, cached: 0.1, output: 10 } },
    'claude-sonnet-5': { ...big, price: { input: 2, cached: 0.2, output: 10 } },
    // For up to 100,000 tokens of input; longer requests cost more.
    'claude-haiku-5-5': { ...big, price: { input: 0.1, cached: 0.01, output: 0.5 } },
    'claude-haiku-4-5': { contextWindow: 200_000, maxOutput: 64_000, price: { input: 1, cached: 0.1, output: 5 } },
  },
};
