import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** The server of llama.cpp on this machine. The server accepts every page. */
export const llamacpp: Provider = {
  name: 'llama.cpp',
  baseURL: 'http://localhost:8080/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { noContent: '', plainSchemas: true } },
  pages: 'allowed',
  noAnswer:
    'Is llama-server running, and on this port? For tools, start the server with --jinja. If the browser asks, allow the page to reach your machine.',
};
