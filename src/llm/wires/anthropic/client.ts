import { checkWireNames, httpNames } from '../../transport/option-names.ts';
import { toAnthropicBody } from './request.ts';
import { createAnthropicReader } from './response.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { checkClientOptions } from '../../transport/check-options.ts';
import { toAddress } from '../../transport/address.ts';
import { createHttpClient } from '../../transport/http.ts';
import { toolNames } from '../../transport/wire-name.ts';
import type { HttpOptions } from '../../transport/http-options.ts';

/** Options of `createAnthropicClient`, beside those of the transport. */
export interface AnthropicOptions extends Omit<HttpOptions, 'baseURL'> {
  /** Default `https://api.anthropic.com/v1`. */
  readonly baseURL?: string;
  /** Used where a request names none. */
  readonly model?: string;
  /**
   * Whether the service streams its answer. `false`: the answer arrives as one JSON document and is emitted at once, for a proxy that cannot
   * stream. Default yes.
   */
  readonly stream?: boolean;
  /** Token limit of an answer where the request has none: this wire requires a limit. Default 8,192. */
  readonly maxTokens?: number;
  /**
   * Whether the service caches the beginning of a conversation for five minutes, so that the next request pays a tenth for that part;
   * writing the cache costs a quarter more, once. Default yes.
   */
  readonly cache?: boolean;
}

/**
 * Creates a client for Anthropic's `/v1/messages`, from the page straight to the service: the client sends the header that Anthropic requires
 * from browsers.
 *
 *     createAnthropicClient({ apiKey, model: 'claude-sonnet-4-5' })
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a base URL that is neither https nor http
 * on this machine
 */
export function createAnthropicClient(given: AnthropicOptions): LLMClient {
  const names = { ...httpNames, model: true, stream: true, maxTokens: true, cache: true };
  checkWireNames(given, names, 'createAnthropicClient');
  checkClientOptions(given, 'createAnthropicClient');
  const {
    baseURL = 'https://api.anthropic.com/v1',
    model,
    stream,
    maxTokens = 8_192,
    cache = true,
    ...options
  } = given;
  const address = toAddress(baseURL, '/messages', options.allowLan);
  return createHttpClient({ ...options, baseURL }, address, {
    authorize: authorizeAnthropic,
    toBody: (request) => toAnthropicBody(request, { model, stream, maxTokens, cache, host: address.host }),
    createReader: (reading, { tools }) => createAnthropicReader({ ...reading, tools: toolNames(tools) }),
  });
}

/** Returns the headers that every request to Anthropic needs. */
export function authorizeAnthropic(key: string): Readonly<Record<string, string>> {
  return {
    'anthropic-version': '2023-06-01',
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(key !== '' && { 'x-api-key': key }),
  };
}
