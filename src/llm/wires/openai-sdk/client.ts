import { AgentError } from '../../../core/error.ts';
import { defined, isJsonObject, type Json } from '../../../core/json.ts';
import { createChatBody } from '../chat-completions/request.ts';
import { createChatReader } from '../chat-completions/response.ts';
import type { LLMClient } from '../../../core/model/llm.ts';
import { type ChatCompat, toCompat } from '../chat-completions/compat.ts';
import { exchange, type ExchangeOptions, unreachable } from '../../transport/exchange.ts';
import { toText } from '../../../core/model/read-json.ts';
import { Refused } from '../../transport/http-error.ts';

/** As much of an `OpenAI` of the `openai` package as is needed: version 4 and later, whichever way it was set up. */
export interface OpenAISdk {
  readonly baseURL?: string;
  readonly chat: {
    readonly completions: {
      create(
        body: object,
        options?: { signal?: AbortSignal; maxRetries?: number },
      ): { asResponse(): PromiseLike<unknown> };
    };
  };
}

/** Options of `createOpenAIClient`. */
export interface OpenAIOptions extends ExchangeOptions {
  /** Used where a request names none. */
  readonly model?: string;
  /** Where the service differs from what is known of its host. */
  readonly compat?: ChatCompat;
}

/**
 * A client over a ready `new OpenAI({ … })`: key, base URL, headers and fetch are the SDK's; everything else is as with
 * `createChatCompletionsClient`. The SDK's own retries are off.
 */
export function createOpenAIClient(sdk: OpenAISdk, options: OpenAIOptions = {}): LLMClient {
  const { host, origin } = addressOf(sdk.baseURL);
  const compat = toCompat(host, options.compat);
  return {
    ...defined({ origin }),
    sendRequest: (request) =>
      exchange({
        ...options,
        host,
        createReader: (options) => createChatReader(options),
        async open(secrets) {
          if ('apiKey' in sdk) secrets.push(toText(sdk.apiKey));
          const body = await createChatBody(request, options.model, compat);
          return async (signal) => {
            try {
              const response = await sdk.chat.completions.create(body, { signal, maxRetries: 0 }).asResponse();
              if (isResponse(response)) return response;
            } catch (thrown) {
              // A key that the SDK asks for itself is there only now.
              if ('apiKey' in sdk) secrets.push(toText(sdk.apiKey));
              throw toSdkFailure(host, thrown, secrets);
            }
            throw new AgentError(
              'The OpenAI SDK gave no response: its asResponse() is not the one of version 4 or later.',
              {
                code: 'INVALID_CONFIG',
              },
            );
          };
        },
      }),
  };
}

function addressOf(baseURL = 'https://api.openai.com/v1'): { readonly host: string; readonly origin?: string } {
  try {
    return new URL(baseURL);
  } catch {
    return { host: baseURL };
  }
}

function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'body' in value && 'headers' in value;
}

/** The SDK throws an `APIError` with a status for a refusal, and one without for everything before an answer. */
function toSdkFailure(host: string, thrown: unknown, secrets: readonly string[]): Error {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') {
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
    return unreachable(host, cause);
  }
  const { status, message } = thrown;
  const error: unknown = 'error' in thrown ? thrown.error : undefined;
  const said: Json = isJsonObject(error) ? { error } : message.replace(/^\d{3} (status code \(no body\))?/, '');
  const headers = 'headers' in thrown && thrown.headers instanceof Headers ? thrown.headers : undefined;
  return new Refused({ host, status, said, headers, secrets });
}
