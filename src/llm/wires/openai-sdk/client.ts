import { named } from '../../../core/model/shapes/named.ts';
import { exchangeNames } from '../../transport/option-names.ts';
import type { Observable } from 'rxjs';
import { AgentError, fail } from '../../../core/error.ts';
import { checkClientOptions } from '../../transport/check-options.ts';
import { defined, isJsonObject, type Json } from '../../../core/json.ts';
import { toChatBody } from '../chat-completions/request.ts';
import { createChatReader, toReading } from '../chat-completions/response.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../../../core/model/llm.ts';
import { type ChatCompat, toCompat } from '../chat-completions/compat.ts';
import { defaultAttempts } from '../../transport/default-attempts.ts';
import { exchange, type ExchangeOptions } from '../../transport/exchange.ts';
import { sendRepeatedly } from '../../transport/send-repeatedly.ts';
import { unreachable } from '../../transport/stream-errors.ts';
import { toText } from '../../../core/model/read-json.ts';
import { HttpError } from '../../transport/error-response.ts';
import { checkSdk, instead, notOpenAI } from './check-sdk.ts';

/** The part of an `OpenAI` instance of the `openai` package (version 4 and later) that the client uses. */
export interface OpenAISdk {
  readonly baseURL?: string;
  /** How often a failed request is sent again. */
  readonly maxRetries?: number;
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
  /**
   * Whether the service streams its answer. `false`: the answer arrives as one JSON document and is emitted at once, for a proxy that cannot
   * stream. Default yes.
   */
  readonly stream?: boolean;
  /** Where the service differs from what is known of its host. */
  readonly compat?: ChatCompat;
}

/**
 * Creates a client over a configured `new OpenAI({ … })`: key, base URL, headers, fetch, `timeout` and `maxRetries` are the SDK's; everything
 * else is as in `createChatCompletionsClient`. A failed request is sent again by this client, as often as the SDK would, so that the page
 * is notified.
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a value that is not an SDK
 */
export function createOpenAIClient(sdk: OpenAISdk, options: OpenAIOptions = {}): LLMClient {
  named(options, { ...exchangeNames, model: true, stream: true, compat: true }, 'createOpenAIClient');
  checkClientOptions(options, 'createOpenAIClient');
  checkSdk(sdk);
  const { host, origin } = addressOf(sdk.baseURL);
  const compat = toCompat(host, options.compat);

  function send(request: LLMRequest): Observable<LLMChunk> {
    return exchange({
      ...options,
      host,
      createReader: (reading) => createChatReader(toReading(reading, request), compat),
      async open(secrets) {
        if ('apiKey' in sdk) secrets.push(toText(sdk.apiKey));
        const body = toChatBody(request, options.model, compat, options.stream, host);
        return async (signal) => {
          try {
            const response = await toResponse(sdk.chat.completions.create(body, { signal, maxRetries: 0 }));
            if (isResponse(response)) return response;
          } catch (thrown) {
            throw fromSdkError(host, thrown, secrets);
          } finally {
            // A key that the SDK requests itself is known only now.
            if ('apiKey' in sdk) secrets.push(toText(sdk.apiKey));
          }
          return fail(
            'INVALID_CONFIG',
            'The OpenAI SDK returned no Response: asResponse() needs version 4 or later of the `openai` package. Update the package.',
          );
        };
      },
    });
  }

  const attempts = defaultAttempts({ ...defined({ maxRetries: sdk.maxRetries }), ...options });
  return { ...defined({ origin }), sendRequest: (request) => sendRepeatedly(request, send, attempts) };
}

/** Asks the SDK for the response of its request. The object may be that of another package, which returns something else. */
function toResponse(request: { asResponse?(): PromiseLike<unknown> }): PromiseLike<unknown> {
  if (typeof request?.asResponse === 'function') return request.asResponse();
  // A promise that is not awaited must not be reported as unhandled.
  Promise.resolve(request).catch(() => {});
  return fail('INVALID_CONFIG', `${notOpenAI} Its \`create\` returned no request with asResponse(). ${instead}`);
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

/** The SDK throws an `APIConnectionTimeoutError`, whose class it exports under names of its own, after its `timeout`. */
function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'Request timed out.';
}

function sdkTimeout(host: string, cause: unknown): AgentError {
  const message = `${host} has sent no response within the \`timeout\` of the OpenAI SDK.`;
  return new AgentError(message, { code: 'REQUEST_TIMEOUT', timeout: 'connect', cause });
}

/** The SDK throws an `APIError` with a status for an error reply, and one without a status for every failure before an answer. */
function fromSdkError(host: string, thrown: unknown, secrets: readonly string[]): Error {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') {
    if (isTimeout(thrown)) return sdkTimeout(host, thrown);
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
    return unreachable(host, cause);
  }
  const { status, message } = thrown;
  const error: unknown = 'error' in thrown ? thrown.error : undefined;
  const body: Json = isJsonObject(error) ? { error } : message.replace(/^\d{3} (status code \(no body\))?/, '');
  const headers = 'headers' in thrown && thrown.headers instanceof Headers ? thrown.headers : undefined;
  return new HttpError({ host, status, body, headers, secrets });
}
