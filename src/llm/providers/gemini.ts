import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Google's Gemini, over its chat completions endpoint. */
export const gemini: Provider = {
  name: 'Google Gemini',
  baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
  createClient: createChatCompletionsClient,
  options: {
    compat: {
      resultName: true,
      foreignCall: { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
    },
  },
  pages: 'allowed',
  keysURL: 'https://aistudio.google.com/apikey',
  // https://ai.google.dev/gemini-api/docs/pricing, as of November 2026; the Flash price is doubled from 2027 on.
  models: {
    'gemini-3.8-flash': {
      contextWindow: 1_048_576,
      maxOutput: 65_536,
      price: { input: 0.75, cached: 0.075, output: 3.75 },
    },
  },
};
