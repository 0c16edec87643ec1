import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** vLLM on this machine. It accepts every page unless a list of allowed origins is configured. */
export const vllm: Provider = {
  name: 'vLLM',
  baseURL: 'http://localhost:8000/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { noContent: '' } },
  pages: 'when-told',
  noAnswer:
    'Is vllm serve running, and on this port? If its allowed origins are configured, add this page: --allowed-origins \'["{origin}"]\'. If the browser asks, allow the page to reach your machine.',
};
