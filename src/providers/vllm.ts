import { createChatCompletionsClient } from '../llm/wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** vLLM on this machine. It lets every page in unless it was told whom. */
export const vllm: Provider = {
  name: 'vLLM',
  baseURL: 'http://localhost:8000/v1',
  createClient: createChatCompletionsClient,
  options: { compat: { noContent: '' } },
  pages: 'when-told',
  noAnswer:
    'Is vllm serve running, and on this port? Where it was told which pages to let in, add this one: --allowed-origins \'["{origin}"]\'. If the browser asks, let the page reach your machine.',
};
