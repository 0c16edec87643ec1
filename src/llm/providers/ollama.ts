import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Ollama on this machine. It accepts pages of `localhost` by default, others when it is configured to. */
export const ollama: Provider = {
  name: 'Ollama',
  baseURL: 'http://localhost:11434/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { plainSchemas: true } },
  pages: 'when-told',
  noAnswer:
    'Is Ollama running? It must accept this page: start it with OLLAMA_ORIGINS={origin} ollama serve. If the browser asks, allow the page to reach your machine.',
};
