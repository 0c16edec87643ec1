import type { AnthropicOptions } from '../wires/anthropic/client.ts';
import type { ChatCompletionsOptions } from '../wires/chat-completions/wire.ts';
import type { LLMClient } from '../../core/model/llm.ts';
import type { ResponsesOptions } from '../wires/responses/wire.ts';
import type { ModelTable } from './model.ts';

/** The options of the clients of all wires. Each client reads the options of its wire. */
export interface ClientOptions extends ChatCompletionsOptions, ResponsesOptions, Omit<AnthropicOptions, 'baseURL'> {}

/**
 * A model service as data: its address, its wire, and where it differs from others. Change one by spreading it:
 * `{ ...openrouter, models: { … } }`.
 */
export interface Provider {
  /** For display. */
  readonly name: string;
  readonly baseURL: string;
  /** Creates a client of its wire: `createChatCompletionsClient`, `createResponsesClient` or `createAnthropicClient`. */
  readonly createClient: (options: ClientOptions) => LLMClient;
  /** Defaults of the client's options: `compat`, `maxTokens`, … */
  readonly options?: Partial<ClientOptions>;
  /**
   * Whether pages may read the answers (CORS): always, when the owner of the server allows it, or never, so that `baseURL` must be the
   * address of a proxy. As observed from outside; services change this without notice.
   */
  readonly pages: 'allowed' | 'when-told' | 'refused';
  /** What a person can do when the service does not answer: one or two sentences. `{origin}` is replaced by the page's origin. */
  readonly noAnswer?: string;
  /** Where a person creates a key. Missing where no key is needed. */
  readonly keysURL?: string;
  /** The path of the list of models, appended to the base URL, and the headers that carry the key. Default: `/models`, a bearer token. */
  readonly list?: {
    readonly path: string;
    readonly authorize?: (key: string) => Readonly<Record<string, string>>;
  };
  /** Known facts of its models; the service's own list takes precedence. */
  readonly models?: ModelTable;
}

/** Options that override the provider's. */
export type ProviderOptions = Partial<ClientOptions>;

/** Returns the options of a client of this provider. */
export function toClientOptions({ baseURL, options }: Provider, own: ProviderOptions): ClientOptions {
  return { baseURL, ...options, ...own, compat: { ...options?.compat, ...own.compat } };
}
