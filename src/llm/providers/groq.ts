import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Groq. The list of models contains context windows. */
export const groq: Provider = {
  name: 'Groq',
  baseURL: 'https://api.groq.com/openai/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { maxTokens: 'max_completion_tokens', reasoningField: 'reasoning' } },
  pages: 'allowed',
  keysURL: 'https://console.groq.com/keys',
};
