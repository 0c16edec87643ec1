import type { AnthropicOptions } from '../llm/wires/anthropic/client.ts';
import type { ChatCompletionsOptions } from '../llm/wires/chat-completions/client.ts';
import type { LLMClient } from '../core/model/llm.ts';
import type { ResponsesOptions } from '../llm/wires/responses/client.ts';
import type { ModelTable } from './model.ts';

/** What the clients of all wires can be told. Each takes of it what its wire has. */
export interface ClientOptions extends ChatCompletionsOptions, ResponsesOptions, Omit<AnthropicOptions, 'baseURL'> {}

/**
 * A service that answers, as data: where it lives, which wire it speaks, what is odd about it. Change one by spreading it:
 * `{ ...openrouter, models: { … } }`.
 */
export interface Provider {
  /** As people know it. */
  readonly name: string;
  readonly baseURL: string;
  /** Makes a client of its wire: `createChatCompletionsClient`, `createResponsesClient` or `createAnthropicClient`. */
  readonly createClient: (options: ClientOptions) => LLMClient;
  /** What its client is told unless the caller says otherwise: `compat`, `maxTokens`, … */
  readonly options?: Partial<ClientOptions>;
  /**
   * Whether pages may read its answers (CORS): always, when its owner has said so, or never, so that `baseURL` has to be a
   * proxy's. As observed from outside; services change it without a word.
   */
  readonly pages: 'allowed' | 'when-told' | 'refused';
  /** What to do when it does not answer, a sentence or two. `{origin}` is replaced by the page's. */
  readonly noAnswer?: string;
  /** Where a person makes a key. Where it is missing, no key is needed. */
  readonly keysURL?: string;
  /** Where its models are listed, behind the base URL, and the headers that carry the key there. Default: `/models`, a bearer's. */
  readonly list?: {
    readonly path: string;
    readonly authorize?: (key: string) => Readonly<Record<string, string>>;
  };
  /** What is known of its models; what its list says counts more. */
  readonly models?: ModelTable;
}

/** What a caller may say over a provider's own word. */
export type ProviderOptions = Partial<ClientOptions>;

/** What a client of this provider is told. */
export function toClientOptions({ baseURL, options }: Provider, own: ProviderOptions): ClientOptions {
  return { baseURL, ...options, ...own, compat: { ...options?.compat, ...own.compat } };
}
