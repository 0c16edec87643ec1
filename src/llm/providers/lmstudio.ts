import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** LM Studio on this machine. */
export const lmstudio: Provider = {
  name: 'LM Studio',
  baseURL: 'http://localhost:1234/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { noContent: '', plainSchemas: true } },
  pages: 'when-told',
  noAnswer:
    'Is the server running? It must accept pages: switch on "Enable CORS" in the server settings, or run lms server start --cors. If the browser asks, allow the page to reach your machine.',
};
