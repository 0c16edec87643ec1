import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Any service with a chat completions endpoint at a base URL. Spread the result to state where the service differs: see docs/providers.md. */
export function compatible(baseURL: string, name = 'Another service'): Provider {
  return { name, baseURL, createClient: createChatCompletionsClient, pages: 'when-told' };
}
