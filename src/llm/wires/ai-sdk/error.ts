import { AgentError, type AgentErrorCode, messageOf } from '../../../core/error.ts';
import { isJsonObject, type Json } from '../../../core/json.ts';
import { copyJson } from '../../../core/model/copy-json.ts';
import { toCount, toText } from '../../../core/model/read-json.ts';
import { HttpError } from '../../transport/error-response.ts';
import { interrupted, malformed, unreachable } from '../../transport/stream-errors.ts';

/** Where an error occurred. */
export interface ErrorPlace {
  /** Names the provider in messages. */
  readonly host: string;
  /** Whether the model has begun to answer. */
  readonly answered: boolean;
  /** Whether a part of the answer was shown. */
  readonly begun: boolean;
}

/** The errors of the AI SDK that are not answers of a service, by the end of their names. */
const kinds: readonly (readonly [name: RegExp, code: AgentErrorCode, next: string])[] = [
  [/LoadAPIKeyError$/, 'AUTHENTICATION_FAILED', 'Pass the key to the provider package.'],
  [/LoadSettingError$/, 'INVALID_CONFIG', 'Check the settings of the provider package.'],
  [/NoSuch(Model|Provider)Error$/, 'MODEL_NOT_FOUND', 'Check its name.'],
  [
    /(UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchProviderReference)Error$/,
    'INVALID_REQUEST',
    'Leave out what the model does not support, or use another model.',
  ],
];

/** What a browser throws for a request without an answer, or for an answer whose connection was lost. */
const lostConnection = /fetch failed|failed to fetch|networkerror|load failed|network error|terminated|cannot connect/i;

/** Whether an error states that a package cannot send what a prompt contains. */
export function isUnsupported(thrown: unknown): boolean {
  return nameOf(thrown) === 'AI_UnsupportedFunctionalityError';
}

/**
 * Returns what a model threw, or streamed as an `error` part, as an error of this package: an answer of a service is classified by status,
 * type and code, as everywhere.
 */
export function toAISDKError(thrown: unknown, place: ErrorPlace): Error {
  if (thrown instanceof AgentError || thrown instanceof HttpError) return thrown;
  if (!(thrown instanceof Error)) return toReported(thrown, place);
  const { host, begun, answered } = place;
  const name = nameOf(thrown);
  const { statusCode, responseBody, responseHeaders, url, isRetryable, data }: ServiceError & object = { ...thrown };
  const status = toCount(statusCode);
  if (status !== undefined && status >= 400) {
    const body = toText(responseBody) || reported(data) || thrown.message;
    return new HttpError({
      host: hostOf(url) ?? host,
      status,
      body,
      headers: toHeaders(responseHeaders, isRetryable === true && !isTemporary(status)),
    });
  }
  const found = kinds.find(([pattern]) => pattern.test(name));
  if (found) {
    const [, code, next] = found;
    return new AgentError(`${host}: ${sentence(thrown.message)} ${next}`, { code, cause: thrown });
  }
  // How packages report that the connection was closed in the midst of an answer.
  if (name.endsWith('InvalidResponseDataError') && thrown.message.includes('without a finish reason'))
    return interrupted(host, begun, thrown);
  if (/(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error$/.test(name))
    return malformed(hostOf(url) ?? host, 'it is not what the provider package expects');
  if (name === 'TimeoutError')
    return new AgentError(`${host} took too long.`, { code: 'REQUEST_TIMEOUT', retryable: !begun, cause: thrown });
  if (name === 'AbortError' || lostConnection.test(thrown.message))
    return answered || name === 'AbortError'
      ? interrupted(host, begun, thrown)
      : unreachable(hostOf(url) ?? host, thrown.cause ?? thrown);
  // An error of the model or its package: the same request would fail again.
  return new HttpError({ host, body: thrown.message, headers: { get: (header) => advice(header, 'false') } });
}

/** Fields of the AI SDK's `APICallError` and `GatewayError`. */
interface ServiceError {
  readonly statusCode?: unknown;
  readonly responseBody?: unknown;
  readonly responseHeaders?: unknown;
  readonly url?: unknown;
  readonly isRetryable?: unknown;
  readonly data?: unknown;
}

/** Returns the error for what a service reported within its answer: an object of its own, or a text. */
function toReported(value: unknown, { host }: ErrorPlace): Error {
  const body = reported(value) ?? messageOf(value);
  return new HttpError({ host, body: isJsonObject(body) && body.error !== undefined ? body : { error: body } });
}

function reported(value: unknown): Json | undefined {
  if (typeof value === 'string' && value !== '') return value;
  if (!isJsonObject(value)) return undefined;
  try {
    return copyJson(value, 'The error', 'LLM_API_ERROR');
  } catch {
    return undefined;
  }
}

/** The statuses after which `APICallError` states a repetition by default: that says nothing of the error. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** @param helps whether the package states that a repetition helps, as such a service would */
function toHeaders(headers: unknown, helps: boolean): { get(name: string): string | null } {
  const entries = isJsonObject(headers) ? Object.entries(headers) : [];
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), toText(value)]));
  return { get: (name) => values.get(name) ?? (helps ? advice(name, 'true') : null) };
}

function advice(header: string, value: string): string | null {
  return header === 'x-should-retry' ? value : null;
}

function hostOf(url: unknown): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host || undefined : undefined;
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}

function sentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`;
}
