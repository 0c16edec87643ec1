import type { LLMRequest } from 'brooklet';
import { createOpenAIClient } from 'brooklet/openai';
import { anthropic, createProviderClient, gemini, openai, openaiChat, type Provider } from 'brooklet/providers';

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

/** The hosts of the services themselves, without proxies. */
const officialHosts = new Set(Object.values(providers).map(({ baseURL }) => new URL(baseURL).host));

/**
 * Returns the address to which a request of this wire went: ids and opaque data go to the host that sent them. The latest host in the
 * conversation counts, a proxy for example, but not the host of another service, with which the conversation began.
 */
function addressOf({ messages }: LLMRequest, { baseURL }: Provider): string {
  const hosts = messages.flatMap(({ content }) => content.flatMap((part) => ('provider' in part ? hostIn(part) : [])));
  const own = new URL(baseURL);
  const last = hosts.findLast((host) => host === own.host || !officialHosts.has(host));
  return last === undefined ? baseURL : `${own.protocol}//${last}${own.pathname}`;
}

function hostIn({ provider }: { readonly provider?: unknown }): readonly string[] {
  const isFilled = typeof provider === 'object' && provider !== null && 'host' in provider;
  return isFilled && typeof provider.host === 'string' ? [provider.host] : [];
}

/** Where nothing is sent: the request ends before the network. */
const nowhere = { apiKey: 'none', maxRetries: 0 };

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
            baseURL: addressOf(request, providers[wire]),
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
