import { toAnthropicBody } from './request.ts';
import { createAnthropicReader } from './response.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { createHttpClient, type HttpOptions } from '../../transport/http.ts';

/** Options of `createAnthropicClient`, beside those of the transport. */
export interface AnthropicOptions extends Omit<HttpOptions, 'baseURL'> {
  /** Default `https://api.anthropic.com/v1`. */
  readonly baseURL?: string;
  /** Used where a request names none. */
  readonly model?: string;
  /** Tokens an answer may have where a request does not say: this wire wants a limit. Default 8,192. */
  readonly maxTokens?: number;
  /**
   * Whether the service may keep the beginning of a conversation for five minutes, so that the next request costs a tenth of it; keeping
   * costs a quarter more, once. Default yes.
   */
  readonly cache?: boolean;
}

/**
 * A client for Anthropic's `/v1/messages`, from the page straight to the service: it sends the header by which Anthropic lets browsers in.
 *
 *     createAnthropicClient({ apiKey, model: 'claude-sonnet-4-5' })
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that is not https, nor http on this machine.
 */
export function createAnthropicClient({
  baseURL = 'https://api.anthropic.com/v1',
  model,
  maxTokens = 8_192,
  cache = true,
  ...options
}: AnthropicOptions): LLMClient {
  return createHttpClient(
    { ...options, baseURL },
    {
      path: '/messages',
      authorize: authorizeAnthropic,
      toBody: (request) => toAnthropicBody(request, { model, maxTokens, cache }),
      createReader: createAnthropicReader,
    },
  );
}

/** The headers of every request to Anthropic. */
export function authorizeAnthropic(key: string): Readonly<Record<string, string>> {
  return {
    'anthropic-version': '2023-06-01',
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(key !== '' && { 'x-api-key': key }),
  };
}
