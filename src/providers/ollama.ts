import { createChatCompletionsClient } from '../llm/wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Ollama on this machine. It lets pages of `localhost` in by itself, others when it is told. */
export const ollama: Provider = {
  name: 'Ollama',
  baseURL: 'http://localhost:11434/v1',
  createClient: createChatCompletionsClient,
  pages: 'when-told',
  noAnswer:
    'Is Ollama running? It has to let this page in: start it with OLLAMA_ORIGINS={origin} ollama serve, and if the browser asks, let the page reach your machine.',
};
