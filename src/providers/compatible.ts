import { createChatCompletionsClient } from '../llm/wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Whatever speaks chat completions at a base URL. Where something is odd about it, spread this and say what: see docs/providers.md. */
export function compatible(baseURL: string, name = 'Another service'): Provider {
  return { name, baseURL, createClient: createChatCompletionsClient, pages: 'when-told' };
}
