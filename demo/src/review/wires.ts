import type { LLMRequest } from 'brooklet';
import { createOpenAIClient } from 'brooklet/openai';
import { anthropic, createProviderClient, gemini, openai, openaiChat } from 'brooklet/providers';

/** A wire in which a request can be shown. */
export type WireName = 'chat' | 'responses' | 'messages' | 'gemini' | 'sdk';

export const wires: readonly { readonly name: WireName; readonly label: string }[] = [
  { name: 'chat', label: 'Chat completions' },
  { name: 'responses', label: 'OpenAI Responses' },
  { name: 'messages', label: 'Anthropic Messages' },
  { name: 'gemini', label: 'Gemini' },
  { name: 'sdk', label: 'openai package' },
];

const providers = { chat: openaiChat, responses: openai, messages: anthropic, gemini };

/** Where nothing is sent: the request ends before the network. */
const nowhere = { apiKey: 'none', retries: 0 };

/** Returns the wire that a model most likely uses. */
export function wireOf(model = ''): WireName {
  if (model.startsWith('claude')) return 'messages';
  if (model.includes('gemini')) return 'gemini';
  return /^(?:gpt|o\d)/u.test(model) ? 'responses' : 'chat';
}

/** Returns the body that a client of this wire sends for a request, byte for byte. Nothing is sent. */
export function bodyOf(request: LLMRequest, wire: WireName, model: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client =
      wire === 'sdk'
        ? createOpenAIClient(sdkThat(resolve), { model })
        : createProviderClient(providers[wire], {
            ...nowhere,
            model,
            fetch: async (_url, init) => {
              resolve(typeof init?.body === 'string' ? init.body : '');
              throw new Error('Nothing is sent.');
            },
          });
    // The client fails after the body is known, which then changes nothing.
    client.sendRequest(request).subscribe({ error: reject });
  });
}

/** Loads the code of all wires, so that bodies are shown without the network later. */
export async function loadWires(): Promise<void> {
  const request: LLMRequest = { sessionId: 'none', messages: [] };
  await Promise.all(wires.map(({ name }) => bodyOf(request, name, 'm')));
}

function sdkThat(receives: (body: string) => void): Parameters<typeof createOpenAIClient>[0] {
  return {
    baseURL: 'https://api.openai.com/v1',
    chat: {
      completions: {
        create(body) {
          receives(JSON.stringify(body));
          throw new Error('Nothing is sent.');
        },
      },
    },
  };
}
