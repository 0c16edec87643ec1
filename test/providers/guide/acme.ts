import { createChatCompletionsClient } from 'brooklet';
import type { Provider } from 'brooklet/providers';

export const acme: Provider = {
  name: 'Acme',
  baseURL: 'https://llm.acme.example/v2',
  createClient: createChatCompletionsClient,
  options: { compat: { maxTokens: 'max_completion_tokens', streamOptions: false, reasoning: 'keep', noContent: '' } },
  pages: 'when-told',
  noAnswer: 'Add {origin} to the allowed origins in your Acme project.',
  keysURL: 'https://acme.example/keys',
  models: { 'acme-1': { contextWindow: 200_000, price: { input: 0.5, output: 2 } } },
};
