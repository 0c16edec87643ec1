import { createChatCompletionsClient } from '../llm/wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** LM Studio on this machine. */
export const lmstudio: Provider = {
  name: 'LM Studio',
  baseURL: 'http://localhost:1234/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { noContent: '' } },
  pages: 'when-told',
  noAnswer:
    'Is its server running? It has to let pages in: switch on "Enable CORS" in its server settings, or lms server start --cors, and if the browser asks, let the page reach your machine.',
};
